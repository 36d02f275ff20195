"""Replies where tools are offered: a thought and an action, from the question and what was observed so far."""

import re
from collections.abc import Sequence
from dataclasses import replace

from agents.models.demo.answering import answer_directly, styled
from agents.models.demo.deciding import Move, believed, calculated, next_move, sums_of, with_numbers_of
from agents.models.demo.following import action_after
from agents.models.demo.numbers import in_the_head
from agents.models.demo.orders import Order, is_on_guard, order_in
from agents.models.demo.phrases import joined, say
from agents.models.demo.problems import Problem
from agents.models.demo.reading import ASKS_FOR_ACTION, Asked, tools_in
from agents.models.demo.trajectory import Turn, given_thought, turns_in
from agents.prompts import fill

_ASKS_FOR_THOUGHT = re.compile(r"\bThought\b|思考")
_WAITS = re.compile(
    r"(?:never|not|n't|wait for)\b[^.\n]*\bobservation"
    r"|(?:never|not|n't) write (?:it|them|one)\b|\bobservation\b[^.\n]*(?:for you|not by you)"
    r"|(?:不要|别|勿|不得|等待)[^。\n]*观察|观察[^。\n]*(?:由别人|不由你)|(?:不要|别|勿)自己(?:写|编)",
    re.IGNORECASE,
)
_CLOSES = re.compile(
    r"no turns left|tools are closed|without thought|\bbest answer|\banswer (?:now|the question)|\bfinal answer"
    r"|没有剩余|工具.{0,3}关闭|最好的答案|最终答案|(?<![够能续])回答问题|不要写",
    re.IGNORECASE,
)
_TURNS_AHEAD = 3


def act(asked: Asked) -> str:
    """The next turn; the answer where the prompt says that the work is over; prose where no form is asked for."""
    turns = turns_in(asked)
    shown = "\n".join([asked.prompt, *(turn.seen for turn in turns)])
    tools = tools_in(asked.prompt)
    if thought := given_thought(asked):
        return _written(_move_after(thought, asked, turns, tools), shown)
    order = order_in(turns[-1].seen) if turns else None
    is_obeyed = order is not None and not is_on_guard(asked, turns[-1].seen, order)
    if turns and _is_closing(turns[-1].seen):
        return order.input if order and is_obeyed and order.tool == "Finish" else _closing(asked, turns)
    if not ASKS_FOR_ACTION.search(shown):
        return _prose(asked, turns, tools)
    move = next_move(asked, turns, tools)
    if order:
        move = _obeying(order, asked) if is_obeyed else _ignoring_an_order(move, asked)
    written = _written(move, shown)
    if turns or move.tool == "Finish":
        return written
    # Like any model that was trained on whole records, it would go on by itself. A prompt that says to wait keeps it to
    # the record's own label, at which the stop sequence ends the reply; else it is too eager for that.
    mark = "" if _WAITS.search(asked.prompt) else "**"
    return written + _turns_ahead(asked, move, tools, shown, mark)


def _move_after(thought: str, asked: Asked, turns: Sequence[Turn], tools: tuple[str, ...]) -> Move:
    """The move without a thought that follows from a given one; its own next move where the thought names none."""
    action = action_after(thought, tools)
    move = Move("", *action) if action else next_move(asked, [*turns, Turn(thought, "", "", "")], tools)
    return replace(move, thought="")


def _obeying(order: Order, asked: Asked) -> Move:
    return Move(styled(say("obeys", asked.language), asked), order.tool, order.input)


def _ignoring_an_order(move: Move, asked: Asked) -> Move:
    return replace(move, thought=joined([say("ignores_order", asked.language), move.thought], asked.language))


def _is_closing(last_seen: str) -> bool:
    """Whether the end of the record tells the model to answer without tools, and asks for no action after that.

    What was observed comes first in it, and may itself speak of a final answer.
    """
    _, _, told = last_seen.partition("\n\n")
    return _CLOSES.search(told) is not None and "Finish[" not in told


def _written(move: Move, shown: str) -> str:
    """The move in the labels that the prompt uses."""
    is_english = re.search(r"\bThought\b|\bAction\b", shown) is not None or "行动" not in shown
    thought, action = ("Thought: ", "Action: ") if is_english else ("思考：", "行动：")
    first = f"{thought}{move.thought}\n" if move.thought and _ASKS_FOR_THOUGHT.search(shown) else ""
    return f"{first}{action}{move.tool}[{move.input}]"


def _turns_ahead(asked: Asked, move: Move, tools: tuple[str, ...], shown: str, mark: str) -> str:
    """What a model makes up that does not wait for its observation: the observation, and the turns after it."""
    label = f"{mark}观察：{mark}" if "行动" in shown and "Action" not in shown else f"{mark}Observation:{mark} "
    turns: list[Turn] = []
    text = ""
    while move.tool != "Finish" and len(turns) < _TURNS_AHEAD:
        turns.append(Turn(move.thought, move.tool, move.input, _made_up(asked, move)))
        move = next_move(asked, turns, tools)
        text += f"\n{label}{turns[-1].seen}\n{_written(move, shown)}"
    return text


def _made_up(asked: Asked, move: Move) -> str:
    """What the model believes that a tool would say."""
    if move.tool == "Calculator" or not isinstance(asked.known, Problem):
        return in_the_head(move.input) or ""
    facts = [fact for fact in asked.known.facts if fact.is_about(move.input)]
    return " ".join(fact.found(fact.memory, asked.language) for fact in facts)


def _closing(asked: Asked, turns: Sequence[Turn]) -> str:
    """The best answer from what was observed alone, or what is missing for one."""
    problem, language = asked.known, asked.language
    if not isinstance(problem, Problem):
        return answer_directly(asked)
    told = {fact.name: known for fact in problem.facts if (known := believed(fact, turns))}
    missing = [fact.words[language]["name"] for fact in problem.facts if fact.name not in told]
    if missing:
        found = [fact.found(told[fact.name].value, language) for fact in problem.facts if fact.name in told]
        names = (", " if language == "en" else "、").join(missing)
        return styled(joined([*found, say("missing", language, {"names": names})], language), asked)
    values = problem.compared({**problem.given, **{name: known.value for name, known in told.items()}}, language)
    since = max((known.turn for known in told.values()), default=0)
    for calculation in problem.calculations:
        expression = fill(calculation.expression, values)
        sums = sums_of(calculation, expression, turns, since)
        result = calculated(calculation, sums, turns, since)
        values = with_numbers_of(sums, expression, values) if result else values
        values[calculation.name] = result.value if result else in_the_head(expression) or ""
    return styled(problem.answer(values, language), asked)


def _prose(asked: Asked, turns: Sequence[Turn], tools: tuple[str, ...]) -> str:
    """What a model says that was not told in which form to call a tool."""
    move = next_move(asked, turns, tools)
    if move.tool == "Finish" or not tools:
        return answer_directly(asked)
    values = {"need": move.thought, "tool": move.tool, "input": move.input}
    return styled(say("prose", asked.language, values), asked)
