"""Replies where tools are offered: a thought and an action, from the question and what was observed so far."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.models.demo.answering import answer_directly, styled, work_text
from agents.models.demo.numbers import in_the_head, result_in
from agents.models.demo.phrases import joined, say
from agents.models.demo.problems import Fact, Problem
from agents.models.demo.reading import ASKS_FOR_ACTION, Asked, tools_in
from agents.parsing.labels import find_labels
from agents.prompts import fill

_ACTION = re.compile(r"\s*(\w+)\s*\[(.*)\]", re.DOTALL)
_ASKS_FOR_THOUGHT = re.compile(r"\bThought\b|思考")
_WAITS = re.compile(
    r"(?:never|not|n't|wait for)\b[^.\n]*\bobservation"
    r"|(?:never|not|n't) write (?:it|them|one)\b|\bobservation\b[^.\n]*(?:for you|not by you)"
    r"|(?:不要|别|勿|不得|等待)[^。\n]*观察|观察[^。\n]*(?:由别人|不由你)|(?:不要|别|勿)自己(?:写|编)",
    re.IGNORECASE,
)
_CLOSES = re.compile(
    r"no turns left|tools are closed|without thought|\bbest answer|\banswer (?:now|the question)|\bfinal answer"
    r"|没有剩余|工具.{0,3}关闭|最好的答案|最终答案|(?<![够能])回答问题|不要写",
    re.IGNORECASE,
)
_TURNS_AHEAD = 3


@dataclass(frozen=True)
class Turn:
    """An action of the record, and what was shown after it. A reply without an action has empty `tool` and `input`."""

    tool: str
    input: str
    seen: str


@dataclass(frozen=True)
class Move:
    """What the model decides to do next. The tool "Finish" ends the work."""

    thought: str
    tool: str
    input: str


def act(asked: Asked) -> str:
    """The next turn; the answer where the prompt says that the work is over; prose where no form is asked for."""
    turns = _turns(asked)
    shown = "\n".join([asked.prompt, *(turn.seen for turn in turns)])
    tools = tools_in(asked.prompt)
    if turns and _is_closing(turns[-1].seen):
        return _closing(asked, turns)
    if not ASKS_FOR_ACTION.search(shown):
        return _prose(asked, turns, tools)
    move = _next_move(asked, turns, tools)
    written = _written(move, shown)
    if turns or move.tool == "Finish":
        return written
    # Like any model that was trained on whole records, it would go on by itself. A prompt that says to wait keeps it to
    # the record's own label, at which the stop sequence ends the reply; else it is too eager for that.
    mark = "" if _WAITS.search(asked.prompt) else "**"
    return written + _turns_ahead(asked, move, tools, shown, mark)


def _turns(asked: Asked) -> list[Turn]:
    """The record so far: from the chat turns, else from the labels of the text that follows the question."""
    if asked.later:
        pairs = zip(asked.later, asked.later[1:], strict=False)
        return [_turn(said.content, _unlabelled(seen.content)) for said, seen in pairs if said.role == "assistant"]
    turns: list[Turn] = []
    said_from = 0
    labels = find_labels(asked.record)
    for label, following in zip(labels, (*labels[1:], None), strict=False):
        if label.kind == "observation":
            end = following.start if following else len(asked.record)
            turns.append(_turn(asked.record[said_from : label.start], asked.record[label.end : end].strip()))
            said_from = end
    return turns


def _unlabelled(seen: str) -> str:
    """An observation without the label in front of it, which an edited template may not have."""
    labels = find_labels(seen)
    return seen[labels[0].end :].strip() if labels and labels[0].kind == "observation" else seen


def _turn(said: str, seen: str) -> Turn:
    """The turn in which this was said and that was shown."""
    ends = [label.end for label in find_labels(said) if label.kind == "action"]
    action = _ACTION.match(said, ends[0]) if ends else None
    return Turn(action[1], action[2], seen) if action else Turn("", "", seen)


def _is_closing(last_seen: str) -> bool:
    """Whether the end of the record tells the model to answer without tools, and asks for no action after that."""
    closing = list(_CLOSES.finditer(re.sub(r"Finish\[[^\]]*\]", "Finish[]", last_seen)))
    return bool(closing) and "Finish[" not in closing[-1].string


def _written(move: Move, shown: str) -> str:
    """The move in the labels that the prompt uses."""
    is_english = re.search(r"\bThought\b|\bAction\b", shown) is not None or "行动" not in shown
    thought, action = ("Thought: ", "Action: ") if is_english else ("思考：", "行动：")
    first = f"{thought}{move.thought}\n" if _ASKS_FOR_THOUGHT.search(shown) else ""
    return f"{first}{action}{move.tool}[{move.input}]"


def _turns_ahead(asked: Asked, move: Move, tools: tuple[str, ...], shown: str, mark: str) -> str:
    """What a model makes up that does not wait for its observation: the observation, and the turns after it."""
    label = f"{mark}观察：{mark}" if "行动" in shown and "Action" not in shown else f"{mark}Observation:{mark} "
    turns: list[Turn] = []
    text = ""
    while move.tool != "Finish" and len(turns) < _TURNS_AHEAD:
        turns.append(Turn(move.tool, move.input, _made_up(asked, move)))
        move = _next_move(asked, turns, tools)
        text += f"\n{label}{turns[-1].seen}\n{_written(move, shown)}"
    return text


def _made_up(asked: Asked, move: Move) -> str:
    """What the model believes that a tool would say."""
    if move.tool == "Calculator" or not isinstance(asked.known, Problem):
        return in_the_head(move.input) or ""
    facts = [fact for fact in asked.known.facts if fact.is_about(move.input)]
    return " ".join(fact.found(fact.memory, asked.language) for fact in facts)


def _next_move(asked: Asked, turns: Sequence[Turn], tools: tuple[str, ...]) -> Move:
    """Looks up what is not known, calculates what is, and finishes."""
    language, problem = asked.language, asked.known
    if problem is None:
        return Move(say("unknown_thought", language), "Finish", say("unknown", language))
    if not isinstance(problem, Problem):
        return Move(_thought(asked, "", say("so", language)), "Finish", work_text(problem, asked))

    last = turns[-1] if turns else None
    news = say("reminded", language) if last and not last.tool else ""
    values = dict(problem.given)
    guessed: list[str] = []
    for fact in problem.facts:
        searches = _searches(fact, turns)
        value = _observed(fact, searches)
        untried = [query for query in fact.queries[language] if query not in [turn.input for turn in searches]]
        if value is None and "Search" in tools and untried:
            news = say("not_found", language) if searches else news
            return Move(_thought(asked, news, fact.words[language]["need"]), "Search", untried[0])
        if value is None:
            guessed.append(fact.found(fact.memory, language))
        elif searches[-1] is last:
            news = fact.found(value, language)
        values[fact.name] = value or fact.memory

    if guessed:
        news = joined([news, say("cannot_look_up", language, {"text": joined(guessed, language)})], language)
    values = problem.compared(values, language)
    for calculation in problem.calculations:
        expression = fill(calculation.expression, values)
        sums = _sums(expression, turns)
        result = _calculated(sums)
        untried = [form for form in (expression, _compact(expression)) if form not in [turn.input for turn in sums]]
        if result is None and "Calculator" in tools and untried:
            news = say("not_calculated", language) if sums else news
            need = fill(calculation.words[language]["need"], values)
            return Move(_thought(asked, news, need), "Calculator", untried[0])
        result = result or in_the_head(expression)
        if result is not None:
            values[calculation.name] = result
            told = calculation.found(result, language)
            news = told if sums and sums[-1] is last else joined([news, told], language)

    answer = problem.answer(values, language, is_short=asked.style.only_answer or _imitates_examples(asked))
    answer = say("from_memory", language, {"text": answer}) if guessed else answer
    return Move(_thought(asked, news, say("so", language), is_done=True), "Finish", styled(answer, asked))


def _searches(fact: Fact, turns: Sequence[Turn]) -> list[Turn]:
    return [turn for turn in turns if turn.tool == "Search" and fact.is_about(turn.input)]


def _observed(fact: Fact, searches: Sequence[Turn]) -> str | None:
    """The fact's value by the latest search that gave one."""
    return next((value for turn in reversed(searches) if (value := fact.value_in(turn.seen))), None)


def _sums(expression: str, turns: Sequence[Turn]) -> list[Turn]:
    return [turn for turn in turns if turn.tool == "Calculator" and _compact(turn.input) == _compact(expression)]


def _calculated(sums: Sequence[Turn]) -> str | None:
    """The calculation's result by the latest turn that gave one."""
    return next((value for turn in reversed(sums) if (value := result_in(turn.seen))), None)


def _thought(asked: Asked, news: str, need: str, is_done: bool = False) -> str:
    """What was just learned, then what is needed next. A brief thought has only one of them."""
    if asked.style.is_brief or _imitates_examples(asked):
        return (news or need) if is_done else need
    return styled(joined([news, need], asked.language), asked)


def _imitates_examples(asked: Asked) -> bool:
    """Whether the prompt shows so often how it is done (more than three observations) that its terse manner sticks."""
    return sum(label.kind == "observation" for label in find_labels(asked.instructions)) > 3


def _closing(asked: Asked, turns: Sequence[Turn]) -> str:
    """The best answer from what was observed alone, or what is missing for one."""
    problem, language = asked.known, asked.language
    if not isinstance(problem, Problem):
        return answer_directly(asked)
    observed = {fact.name: _observed(fact, _searches(fact, turns)) for fact in problem.facts}
    found = {name: value for name, value in observed.items() if value is not None}
    missing = [fact.words[language]["name"] for fact in problem.facts if fact.name not in found]
    if missing:
        told = [fact.found(found[fact.name], language) for fact in problem.facts if fact.name in found]
        names = (", " if language == "en" else "、").join(missing)
        return styled(joined([*told, say("missing", language, {"names": names})], language), asked)
    values = problem.compared({**problem.given, **found}, language)
    for calculation in problem.calculations:
        expression = fill(calculation.expression, values)
        values[calculation.name] = _calculated(_sums(expression, turns)) or in_the_head(expression) or ""
    return styled(problem.answer(values, language), asked)


def _prose(asked: Asked, turns: Sequence[Turn], tools: tuple[str, ...]) -> str:
    """What a model says that was not told in which form to call a tool."""
    move = _next_move(asked, turns, tools)
    if move.tool == "Finish" or not tools:
        return answer_directly(asked)
    values = {"need": move.thought, "tool": move.tool, "input": move.input}
    return styled(say("prose", asked.language, values), asked)


def _compact(expression: str) -> str:
    return re.sub(r"\s", "", expression)
