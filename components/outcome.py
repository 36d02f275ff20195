"""What came of one version of a run against another, in a sentence.

A version is a lane that ran once or several times; several runs stand for their medians. Nothing is drawn here.
"""

from collections.abc import Sequence

from components.comparison_table import LaneFigures, table_texts
from components.safe_text import plain, shortened
from components.spread import Spread, counted_answers, spread
from components.texts import language, say

LEAST_TOKENS = 0.01  # of the tokens before: a smaller difference is "about as many"
LEAST_SECONDS, LEAST_TIME = 0.5, 0.1  # a difference in time is told from both on: in seconds, and of the time before
LONGEST_ANSWER = 60  # characters; longer answers are not put into the sentence
COUNTS = ("steps", "model_calls", "tool_calls", "format_slips", "total_tokens")


def outcome_sentence(
    before_name: str, before: Sequence[LaneFigures], after_name: str, after: Sequence[LaneFigures]
) -> str:
    """How `after` differs from `before`, in one sentence of Markdown: figures first, then the answers.

    One run each are compared as they are, several by medians and counts, without those that were stopped. Where a
    single run was stopped or its model failed, only answers are compared: giving up is cheap.
    """
    names = {"before": plain(before_name), "after": plain(after_name)}
    sides = {"before": before, "after": after}
    spreads = {side: spread("", runs) for side, runs in sides.items()}
    unfinished = [names[side] for side, runs in sides.items() if _is_unfinished(runs)]
    if unfinished:
        return say("outcome.nothing_yet", {"names": say("outcome.comma").join(unfinished)})
    if len(before) == len(after) == 1:
        clauses = [_outcome_of_one(names, before[0], after[0])]
        if not {before[0].reason, after[0].reason} & {"stopped", "model_error"}:
            entry = "nothing_differs" if _are_same(before[0], after[0]) else "alike"
            clauses.insert(0, _figures(names, spreads["before"], spreads["after"], entry))
    else:
        stopped = [names[side] for side, each in spreads.items() if not each.runs]
        if stopped:
            return say("outcome.all_stopped", {"names": say("outcome.comma").join(stopped)})
        figures = _figures(names, spreads["before"], spreads["after"], "alike")
        clauses = [say("outcome.medians", {"figures": figures})]
        clauses += _outcome_of_several(names, spreads["before"], spreads["after"])
    sentence = say("outcome.sentence", {"clauses": say("outcome.semicolon").join(clauses)})
    return sentence[:1].upper() + sentence[1:]


def signed_percent(before: float, after: float) -> str:
    """The change in whole percent of what was before, which must not be 0.

    >>> signed_percent(800, 500), signed_percent(100, 1_350)
    ('-38 %', '+1,250 %')
    """
    return f"{(after - before) / before:+,.0%}".replace("%", " %")


def _is_unfinished(runs: Sequence[LaneFigures]) -> bool:
    """Whether no run has come to an end by itself and one still may."""
    return not spread("", runs).runs and (not runs or any(run.reason is None for run in runs))


def _are_same(before: LaneFigures, after: LaneFigures) -> bool:
    has_same_counts = all(before.figure(column) == after.figure(column) for column in COUNTS)
    return has_same_counts and is_same(before.answer, after.answer)


def _figures(names: dict[str, str], before: Spread, after: Spread, alike: str) -> str:
    """What changed in the figures; the entry `alike` where nothing did that anybody could see."""
    changes = _changes(before, after)
    return say("outcome.compared", names | {"changes": _joined(changes)}) if changes else say(f"outcome.{alike}", names)


def _changes(before: Spread, after: Spread) -> list[str]:
    """What changed, each as a verb with its figure."""
    steps, slips, tokens, seconds = (
        after.ranges[column].median - before.ranges[column].median
        for column in ("steps", "format_slips", "total_tokens", "seconds")
    )
    tokens_before, seconds_before = before.ranges["total_tokens"].median, before.ranges["seconds"].median
    has_more_or_fewer_tokens = abs(tokens) >= LEAST_TOKENS * tokens_before and tokens != 0
    is_slower_or_faster = abs(seconds) >= max(LEAST_SECONDS, LEAST_TIME * seconds_before)
    if not (steps or slips or has_more_or_fewer_tokens or is_slower_or_faster):
        return []
    needed = [_counted("steps", steps)] if steps else []
    if has_more_or_fewer_tokens:
        amount = signed_percent(tokens_before, tokens_before + tokens)[1:] if tokens_before else number_text(tokens)
        if before.estimated or after.estimated:
            amount = say("outcome.about", {"amount": amount})
        needed.append(say("outcome.tokens_more" if tokens > 0 else "outcome.tokens_fewer", {"amount": amount}))
    else:
        needed.append(say("outcome.tokens_same"))
    changes = [say("outcome.needed", {"what": _joined(needed)})]
    if slips:
        changes.append(_counted("slips", slips))
    if is_slower_or_faster:
        duration = say("comparison_charts.duration", {"s": f"{abs(seconds):.1f}"})
        changes.append(say("outcome.slower" if seconds > 0 else "outcome.faster", {"duration": duration}))
    return changes


def _counted(what: str, change: float) -> str:
    direction = "more" if change > 0 else "fewer"
    number = "one" if abs(change) == 1 else "many"
    return say(f"outcome.{what}_{direction}_{number}", {"n": number_text(abs(change))})


def _outcome_of_one(names: dict[str, str], before: LaneFigures, after: LaneFigures) -> str:
    why = {
        "why_before": table_texts(language())[f"ended_{before.reason}"],
        "why_after": table_texts(language())[f"ended_{after.reason}"],
    }
    if before.answer is None and after.answer is None:
        return say("outcome.both_without", names | why)
    if before.answer is None:
        return _only_one_answered(names["before"], why["why_before"], names["after"], after)
    if after.answer is None:
        return _only_one_answered(names["after"], why["why_after"], names["before"], before)
    if before.is_right is not None and after.is_right is not None:
        if before.is_right == after.is_right:
            return say("outcome.both_right" if after.is_right else "outcome.both_wrong")
        return say("outcome.only_right", {"name": names["after" if after.is_right else "before"]})
    return _answers("answers", names, before.answer, after.answer)


def _only_one_answered(without: str, why: str, name: str, answered: LaneFigures) -> str:
    mark = {True: "right", False: "wrong", None: "unmarked"}[answered.is_right]
    answer = plain(shortened(answered.answer or "", LONGEST_ANSWER))
    return say(f"outcome.other_{mark}", {"without": without, "why": why, "name": name, "answer": answer})


def _outcome_of_several(names: dict[str, str], before: Spread, after: Spread) -> list[str]:
    clauses = []
    if before.right is not None and after.right is not None:
        clauses.append(_in_runs("right", (before.right, before.runs), (after.right, after.runs)))
    elif before.majority is not None and after.majority is not None:
        clauses.append(_answers("majorities", names, before.majority, after.majority))
    if before.answered < before.runs or after.answered < after.runs:
        clauses.append(_in_runs("answered", (before.answered, before.runs), (after.answered, after.runs)))
    return clauses


def _in_runs(what: str, before: tuple[int, int], after: tuple[int, int]) -> str:
    numbers = {"n_before": before[0], "of_before": before[1], "n": after[0], "of": after[1]}
    key = f"outcome.{what}_as_often" if before == after else f"outcome.{what}_instead"
    return say(key, {name: str(number) for name, number in numbers.items()})


def _answers(entry: str, names: dict[str, str], before: str, after: str) -> str:
    if is_same(before, after):
        return say(f"outcome.{entry}_same")
    if not (before.strip() and after.strip()) or max(len(before), len(after)) > LONGEST_ANSWER:
        return say(f"outcome.{entry}_differ")
    return say(f"outcome.{entry}_shown", names | {"answer_before": plain(before), "answer_after": plain(after)})


def is_same(one: str | None, other: str | None) -> bool:
    """Whether there are two answers, and they differ in nothing but how they are written."""
    return one is not None and other is not None and len(counted_answers([one, other])) == 1


def _joined(parts: Sequence[str]) -> str:
    return say("outcome.and").join([say("outcome.comma").join(parts[:-1]), parts[-1]] if parts[1:] else parts)


def number_text(figure: float) -> str:
    """The figure with at most one decimal."""
    return f"{figure:,.1f}".removesuffix(".0")
