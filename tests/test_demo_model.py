"""The demo model as the agents see it: what it does with the shipped prompts, and how it changes with an edited one."""

import re
import threading
import time

import pytest

from agents.base import Agent, Settings
from agents.direct import Direct
from agents.errors import Stopped, ToolError
from agents.events import (
    Action,
    Draft,
    Event,
    Feedback,
    FinalAnswer,
    FormatSlip,
    Language,
    Message,
    ModelRequest,
    ModelResponse,
    Observation,
    Plan,
    ReplyDelta,
    RunEnded,
    StepResult,
    Thought,
)
from agents.models.demo import DEMO_NAME, DemoModel
from agents.plan_and_solve import PlanAndSolve
from agents.prompts import ROLES, load_template, variants
from agents.react import STOP, ReAct
from agents.reflection import Reflection
from agents.samples import samples
from agents.stopping import StopSignal
from agents.tools.toolbox import CALCULATOR, Tool, Toolbox, default_toolbox

SAMPLES = {sample.name: sample.text for sample in samples()}
LANGUAGES: tuple[Language, ...] = ("en", "zh")
BOTH = pytest.mark.parametrize("language", LANGUAGES)
UNKNOWN = {"en": "Who wrote Faust?", "zh": "谁写了《浮士德》？"}
IS_SCRIPTED = {"en": "scripted demo model", "zh": "演示模型"}


def quick() -> DemoModel:
    return DemoModel(tokens_per_second=0, first_token_seconds=0)


def react(
    template: str | None = None, language: Language = "en", toolbox: Toolbox | None = None, max_steps: int = 6
) -> ReAct:
    templates = {} if template is None else {"react": template}
    tools = toolbox or default_toolbox(language=language)
    return ReAct(quick(), tools, templates, Settings(language), max_steps)


def plan_and_solve(language: Language = "en", max_steps: int = 8, **templates: str) -> PlanAndSolve:
    return PlanAndSolve(quick(), templates, Settings(language), max_steps)


def reflection(language: Language = "en", **variants_by_role: str) -> Reflection:
    templates = {
        role: load_template("reflection", role, variant, language) for role, variant in variants_by_role.items()
    }
    return Reflection(quick(), templates, Settings(language))


def direct(template: str, language: Language = "en") -> Direct:
    return Direct(quick(), {"answer": template}, Settings(language))


def run(agent: Agent, question: str) -> list[Event]:
    return list(agent.stream(question))


def actions(events: list[Event]) -> list[str]:
    return [f"{event.tool}[{event.input}]" for event in events if isinstance(event, Action)]


def thoughts(events: list[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, Thought)]


def answer(events: list[Event]) -> str:
    return next(event.text for event in events if isinstance(event, FinalAnswer))


def end(events: list[Event]) -> str:
    return next(event.reason for event in events if isinstance(event, RunEnded))


def rules(events: list[Event]) -> list[str]:
    return [event.rule for event in events if isinstance(event, FormatSlip)]


def replies(events: list[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, ModelResponse)]


def drafts(events: list[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, Draft)]


def feedbacks(events: list[Event]) -> list[Feedback]:
    return [event for event in events if isinstance(event, Feedback)]


def verdicts(events: list[Event]) -> list[bool]:
    return [feedback.approved for feedback in feedbacks(events)]


def plan(events: list[Event]) -> tuple[str, ...]:
    return next(event.steps for event in events if isinstance(event, Plan))


def reply(prompt: str, stop: tuple[str, ...] = (), max_tokens: int = 1024, role: str = "any") -> ModelResponse:
    generator = quick().stream(
        ModelRequest(role, (Message("user", prompt),), stop, max_tokens=max_tokens), StopSignal()
    )
    while True:
        try:
            next(generator)
        except StopIteration as finished:
            response: ModelResponse = finished.value
            return response


def searching(**snippets: str) -> Toolbox:
    """A toolbox whose search finds the snippet with a word of the query, and nothing else."""

    def search(query: str) -> str:
        return next((text for word, text in snippets.items() if word in query), "Nothing was found.")

    return Toolbox([Tool("Search", {"en": "Search[query]: looks up a fact"}, search), CALCULATOR])


def without(template: str, *passages: str) -> str:
    """The template less these passages, each of which has to be in it."""
    for passage in passages:
        assert passage in template
        template = template.replace(passage, "")
    return template


REACT = load_template("react", "react")
RULES_REMOVED = "These are your tools:\n{tools}\n\nQuestion: {question}"


class TestStreaming:
    def test_its_name_says_that_it_is_the_demo(self) -> None:
        assert quick().name == DEMO_NAME == "demo"

    @pytest.mark.parametrize("question", ["Who wrote Faust?", "谁写了《浮士德》？", SAMPLES["primes"]["zh"]])
    def test_the_pieces_make_up_the_reply(self, question: str) -> None:
        events = run(direct("{question}"), question)
        pieces = [event.text for event in events if isinstance(event, ReplyDelta)]
        assert "".join(pieces) == replies(events)[0]
        assert max(len(piece.strip()) for piece in pieces) <= 8

    def test_usage_is_estimated(self) -> None:
        usage = reply("What is 12 * 7?").usage
        assert usage.estimated
        assert usage.input_tokens > 0
        assert usage.output_tokens > 0

    def test_a_reply_ends_at_the_limit_of_tokens(self) -> None:
        response = reply("Who wrote Faust?", max_tokens=5)
        assert response.finish_reason == "length"
        assert 0 < response.usage.output_tokens <= 5

    def test_a_reply_ends_at_a_stop_string(self) -> None:
        response = reply("Who wrote Faust?", stop=(", not",))
        assert (response.text, response.finish_reason) == ("I am a scripted demo model", "stop")

    def test_a_prompt_that_is_longer_than_it_can_read_is_a_model_error(self) -> None:
        assert end(run(direct("{question}"), "word " * 30_000)) == "model_error"

    @pytest.mark.parametrize("text", ["1,", "x\n\n", "\n", "(", "eiffel ", "version: ", "光太阳"])
    def test_a_long_prompt_is_read_in_a_moment(self, text: str) -> None:
        question = (text * 20_000)[:20_000]
        began = time.monotonic()
        reply(load_template("reflection", "reviewer").replace("{draft}", question).replace("{question}", question))
        assert time.monotonic() - began < 2

    def test_it_takes_the_time_of_a_language_model(self) -> None:
        model = DemoModel(tokens_per_second=200, first_token_seconds=0.05)
        events = list(Direct(model).stream("What is 1 + 1?"))
        response = next(event for event in events if isinstance(event, ModelResponse))
        assert response.first_token_seconds is not None
        assert 0.05 <= response.first_token_seconds < response.seconds

    def test_a_stop_ends_it_at_once_and_keeps_the_partial_reply(self) -> None:
        stop = StopSignal()
        model = DemoModel(tokens_per_second=0.01, first_token_seconds=0)
        generator = model.stream(ModelRequest("any", (Message("user", "Who wrote Faust?"),)), stop)
        first = next(generator)
        threading.Timer(0.05, stop.set).start()
        began = time.monotonic()
        with pytest.raises(Stopped) as stopped:
            next(generator)
        assert time.monotonic() - began < 1
        assert stopped.value.partial is not None
        assert (stopped.value.partial.text, stopped.value.partial.finish_reason) == (first.text, "interrupted")

    def test_a_stop_before_the_first_piece_has_no_partial_reply(self) -> None:
        stop = StopSignal()
        stop.set()
        with pytest.raises(Stopped) as stopped:
            next(DemoModel().stream(ModelRequest("any", (Message("user", "Hello"),)), stop))
        assert stopped.value.partial is None

    @pytest.mark.parametrize("role", ["react", "planner", "reviewer", ""])
    def test_the_reply_does_not_depend_on_the_role_of_the_request(self, role: str) -> None:
        prompt = REACT.replace("{tools}", default_toolbox().describe()).replace("{question}", SAMPLES["towers"]["en"])
        assert reply(prompt, role=role).text == reply(prompt, role="answer").text

    def test_the_same_request_gets_the_same_reply(self) -> None:
        assert reply(SAMPLES["trip"]["en"]).text == reply(SAMPLES["trip"]["en"]).text


class TestReAct:
    @pytest.mark.parametrize(
        ("name", "language", "expected"),
        [
            (
                "towers",
                "en",
                [
                    "Search[height of the Eiffel Tower]",
                    "Search[height of the Burj Khalifa]",
                    "Calculator[828 - 330]",
                ],
            ),
            ("towers", "zh", ["Search[埃菲尔铁塔 高度]", "Search[哈利法塔 高度]", "Calculator[828 - 330]"]),
            ("cinema", "en", ["Calculator[18 * 24]", "Calculator[432 - 356]"]),
            ("cinema", "zh", ["Calculator[18 * 24]", "Calculator[432 - 356]"]),
            (
                "sunlight",
                "en",
                [
                    "Search[distance from the Earth to the Sun in km]",
                    "Search[speed of light in km per second]",
                    "Calculator[149600000 / 300000 / 60]",
                ],
            ),
            (
                "sunlight",
                "zh",
                ["Search[地球到太阳的距离]", "Search[光速 公里每秒]", "Calculator[149600000 / 300000 / 60]"],
            ),
            ("trip", "en", ["Calculator[390 / 26]", "Calculator[15 + 7]"]),
            ("trip", "zh", ["Calculator[390 / 26]", "Calculator[15 + 7]"]),
        ],
    )
    def test_looks_up_what_it_needs_and_calculates_with_what_it_saw(
        self, name: str, language: Language, expected: list[str]
    ) -> None:
        events = run(react(language=language), SAMPLES[name][language])
        assert actions(events) == expected
        assert rules(events) == []
        assert end(events) == "answered"

    @pytest.mark.parametrize(
        ("name", "language", "expected"),
        [
            ("towers", "en", "The Burj Khalifa is taller, by 498 metres (828 m against 330 m)."),
            ("towers", "zh", "哈利法塔更高，高498米（828米对330米）。"),
            ("cinema", "en", "76 seats stayed empty."),
            ("cinema", "zh", "还空着76个座位。"),
            ("sunlight", "en", "Light takes about 8.31 minutes from the Sun to the Earth."),
            ("trip", "zh", "每人要付22元。"),
        ],
    )
    def test_answers_from_what_was_observed(self, name: str, language: Language, expected: str) -> None:
        assert answer(run(react(language=language), SAMPLES[name][language])) == expected

    def test_its_thought_says_what_was_observed(self) -> None:
        assert thoughts(run(react(), SAMPLES["towers"]["en"]))[1] == (
            "The Eiffel Tower is 330 m high. I need the height of the Burj Khalifa."
        )

    def test_another_observation_leads_to_another_answer(self) -> None:
        toolbox = searching(Eiffel="The Eiffel Tower is 1,000 m high.", Burj="Height: 828 metres.")
        events = run(react(toolbox=toolbox), SAMPLES["towers"]["en"])
        assert actions(events)[-1] == "Calculator[1000 - 828]"
        assert answer(events) == "The Eiffel Tower is taller, by 172 metres (1000 m against 828 m)."

    def test_believes_the_calculator(self) -> None:
        toolbox = Toolbox([Tool("Calculator", {"en": "Calculator[expression]"}, lambda expression: "1000")])
        assert answer(run(react(toolbox=toolbox), SAMPLES["cinema"]["en"])) == "1000 seats stayed empty."

    def test_knows_a_sample_with_other_numbers(self) -> None:
        question = "A cinema has 10 rows of 30 seats. On Monday 120 tickets were sold. How many seats are empty?"
        assert answer(run(react(), question)) == "180 seats stayed empty."

    @pytest.mark.parametrize(
        ("question", "expected"),
        [("What is 12 * 7?", "12 * 7 = 84."), ("12乘7是多少？", "12 * 7 = 84。"), ("What is 3 plus 4?", "3 + 4 = 7.")],
    )
    def test_calculates_an_expression(self, question: str, expected: str) -> None:
        events = run(react(), question)
        assert len(actions(events)) == 1
        assert answer(events) == expected

    @BOTH
    def test_says_that_it_is_scripted_when_asked_anything_else(self, language: Language) -> None:
        events = run(react(language=language), UNKNOWN[language])
        assert IS_SCRIPTED[language] in answer(events)
        assert end(events) == "answered"

    @BOTH
    def test_reads_a_trajectory_that_comes_as_text(self, language: Language) -> None:
        template = load_template("react", "react", "as_text", language)
        as_text = run(react(template, language), SAMPLES["towers"][language])
        as_turns = run(react(language=language), SAMPLES["towers"][language])
        assert replies(as_text) == replies(as_turns)

    @BOTH
    def test_at_the_step_limit_it_says_what_is_missing(self, language: Language) -> None:
        events = run(react(language=language, max_steps=1), SAMPLES["towers"][language])
        assert end(events) == "step_limit"
        assert "330" in answer(events)
        assert {"en": "the Burj Khalifa", "zh": "哈利法塔"}[language] in answer(events)

    @BOTH
    def test_at_the_step_limit_it_answers_when_all_was_observed(self, language: Language) -> None:
        events = run(react(language=language, max_steps=2), SAMPLES["towers"][language])
        assert end(events) == "step_limit"
        assert "498" in answer(events)

    def test_at_the_step_limit_a_trajectory_as_text_serves_as_well(self) -> None:
        template = load_template("react", "react", "as_text")
        assert "498" in answer(run(react(template, max_steps=2), SAMPLES["towers"]["en"]))


class TestReActPromptEdits:
    @BOTH
    def test_without_format_rules_it_replies_in_prose_until_it_is_reminded(self, language: Language) -> None:
        template = load_template("react", "react", "no_format_rules", language)
        events = run(react(template, language), SAMPLES["towers"][language])
        observations = [event for event in events if isinstance(event, Observation)]
        assert [observation.is_error for observation in observations] == [True, False, False, False]
        assert "[" not in replies(events)[0]
        assert "498" in answer(events)

    def test_own_deletion_of_the_format_rules_does_the_same(self) -> None:
        events = run(react(RULES_REMOVED), SAMPLES["cinema"]["en"])
        assert next(event for event in events if isinstance(event, Observation)).is_error
        assert answer(events) == "76 seats stayed empty."

    def test_asked_for_an_action_alone_it_writes_no_thought(self) -> None:
        rules = "Write one line and wait for the observation: Action: Tool[input], or Action: Finish[answer]."
        templates = {"react": f"{RULES_REMOVED}\n\n{rules}", "observation": "Observation: {observation}"}
        events = run(ReAct(quick(), default_toolbox(), templates), SAMPLES["cinema"]["en"])
        assert thoughts(events) == []
        assert actions(events) == ["Calculator[18 * 24]", "Calculator[432 - 356]"]

    @BOTH
    def test_without_tools_in_the_prompt_it_guesses_and_says_so(self, language: Language) -> None:
        template = without(load_template("react", "react", "default", language), "{tools}")
        events = run(react(template, language), SAMPLES["towers"][language])
        assert actions(events) == []
        assert "504" in answer(events)
        assert {"en": "From memory", "zh": "凭记忆"}[language] in answer(events)

    @BOTH
    def test_without_a_search_tool_it_calculates_with_what_it_remembers(self, language: Language) -> None:
        toolbox = default_toolbox(language=language).without("Search")
        events = run(react(language=language, toolbox=toolbox), SAMPLES["towers"][language])
        assert actions(events) == ["Calculator[828 - 324]"]
        assert {"en": "From memory", "zh": "凭记忆"}[language] in answer(events)

    def test_without_a_calculator_it_calculates_in_its_head(self) -> None:
        events = run(react(toolbox=default_toolbox().without("Calculator")), SAMPLES["towers"]["en"])
        assert [action.split("[")[0] for action in actions(events)] == ["Search", "Search"]
        assert "498" in answer(events)

    @BOTH
    def test_an_example_keeps_the_format_without_any_rules(self, language: Language) -> None:
        template = load_template("react", "react", "few_shot", language)
        example = template[template.index({"en": "Question: How", "zh": "问题：协和"}[language]) :]
        events = run(
            react("Search[query]\nCalculator[expression]\n\n" + example, language), SAMPLES["towers"][language]
        )
        assert [event.is_error for event in events if isinstance(event, Observation)] == [False, False, False]
        assert "498" in answer(events)

    @BOTH
    def test_an_example_sets_the_style(self, language: Language) -> None:
        template = load_template("react", "react", "few_shot", language)
        with_example = run(react(template, language), SAMPLES["towers"][language])
        plain = run(react(language=language), SAMPLES["towers"][language])
        assert len("".join(thoughts(with_example))) < len("".join(thoughts(plain)))
        assert answer(with_example) == {"en": "The Burj Khalifa, 498 metres", "zh": "哈利法塔，高498米"}[language]

    @pytest.mark.parametrize("instruction", ["Be brief.", "Keep your thoughts short.", "Be terse.", "思考要简短。"])
    def test_asked_to_be_brief_it_thinks_in_fewer_words(self, instruction: str) -> None:
        brief = run(react(f"{instruction}\n{REACT}"), SAMPLES["towers"]["en"])
        plain = run(react(), SAMPLES["towers"]["en"])
        assert len("".join(thoughts(brief))) < len("".join(thoughts(plain)))
        assert actions(brief) == actions(plain)

    def test_asked_for_one_word_it_finishes_with_value_and_unit(self) -> None:
        events = run(react(f"Finish with the answer in one word.\n{REACT}"), SAMPLES["cinema"]["en"])
        assert answer(events) == "76 seats"

    def test_answers_in_chinese_to_an_english_question_when_told_to(self) -> None:
        events = run(react(f"Always answer in Chinese.\n{REACT}"), SAMPLES["cinema"]["en"])
        assert answer(events) == "还空着76个座位。"

    def test_answers_in_english_to_a_chinese_question_when_told_to(self) -> None:
        template = f"请用英文回答。\n{load_template('react', 'react', 'default', 'zh')}"
        assert answer(run(react(template, "zh"), SAMPLES["cinema"]["zh"])) == "76 seats stayed empty."

    def test_talks_like_a_pirate_when_told_to(self) -> None:
        events = run(react(f"Answer like a pirate.\n{REACT}"), SAMPLES["cinema"]["en"])
        assert answer(events) == "Arr, matey! 76 seats stayed empty."
        assert thoughts(events)[0].startswith("Arr")

    @pytest.mark.parametrize(
        ("language", "sentence", "made_up"),
        [
            ("en", " Never write it yourself.", "The Eiffel Tower is 324 m high."),
            ("zh", "不要自己写观察。", "埃菲尔铁塔高324米。"),
        ],
    )
    def test_not_told_to_wait_it_makes_up_an_observation_which_is_cut(
        self, language: Language, sentence: str, made_up: str
    ) -> None:
        template = without(load_template("react", "react", "default", language), sentence)
        events = run(react(template, language), SAMPLES["towers"][language])
        slips = [event for event in events if isinstance(event, FormatSlip)]
        assert [slip.rule for slip in slips] == ["invented_observation"]
        assert made_up in slips[0].cut
        assert "Finish[" in slips[0].cut
        assert "498" in answer(events)

    @BOTH
    def test_only_the_stop_sequence_keeps_it_from_going_on(self, language: Language) -> None:
        prompt = load_template("react", "react", "default", language)
        prompt = prompt.replace("{tools}", default_toolbox(language=language).describe())
        prompt = prompt.replace("{question}", SAMPLES["towers"][language])
        assert "324" in reply(prompt).text
        assert "324" not in reply(prompt, stop=STOP).text

    @pytest.mark.parametrize("variant", ["default", "no_example", "two_examples", "few_shot", "as_text"])
    @BOTH
    def test_no_shipped_prompt_with_rules_leads_to_a_slip(self, variant: str, language: Language) -> None:
        template = load_template("react", "react", variant, language)
        assert rules(run(react(template, language), SAMPLES["sunlight"][language])) == []

    @pytest.mark.parametrize("variant", variants("react", "react"))
    @pytest.mark.parametrize("name", list(SAMPLES))
    @BOTH
    def test_every_sample_is_answered_with_every_variant(self, variant: str, name: str, language: Language) -> None:
        template = load_template("react", "react", variant, language)
        assert end(run(react(template, language), SAMPLES[name][language])) == "answered"

    @BOTH
    def test_reads_observations_that_come_without_a_label(self, language: Language) -> None:
        agent = ReAct(
            quick(),
            default_toolbox(language=language),
            {"observation": "{observation}"},
            Settings(language),
            max_steps=3,
        )
        assert "498" in answer(run(agent, SAMPLES["towers"][language]))


class TestReActErrors:
    def test_after_a_search_error_it_tries_other_words(self) -> None:
        toolbox = searching(metres="The Eiffel Tower is 330 m high, the Burj Khalifa 828 m.")
        events = run(react(toolbox=toolbox), SAMPLES["towers"]["en"])
        assert actions(events)[:2] == ["Search[height of the Eiffel Tower]", "Search[Eiffel Tower height in metres]"]
        assert "498" in answer(events)

    def test_after_two_search_errors_it_goes_by_memory_and_says_so(self) -> None:
        events = run(react(toolbox=searching()), SAMPLES["towers"]["en"])
        assert actions(events)[-1] == "Calculator[828 - 324]"
        assert answer(events).startswith("From memory")

    def test_after_a_calculator_error_it_writes_the_sum_differently(self) -> None:
        def picky(expression: str) -> str:
            if " " in expression:
                raise ToolError("not_an_expression", expression)
            return str({"18*24": 432, "432-356": 76}[expression])

        toolbox = Toolbox([Tool("Calculator", {"en": "Calculator[expression]"}, picky)])
        events = run(react(toolbox=toolbox), SAMPLES["cinema"]["en"])
        assert actions(events) == [
            "Calculator[18 * 24]",
            "Calculator[18*24]",
            "Calculator[432 - 356]",
            "Calculator[432-356]",
        ]
        assert answer(events) == "76 seats stayed empty."


class TestPlanAndSolve:
    @pytest.mark.parametrize(
        ("name", "language", "expected"),
        [
            ("towers", "en", "The Burj Khalifa is taller, by 504 metres (828 m against 324 m)."),
            ("towers", "zh", "哈利法塔更高，高504米（828米对324米）。"),
            ("cinema", "en", "76 seats stayed empty."),
            ("cinema", "zh", "还空着76个座位。"),
            ("sunlight", "en", "Light takes about 8.33 minutes from the Sun to the Earth."),
            ("sunlight", "zh", "光从太阳到地球大约需要8.33分钟。"),
            ("trip", "en", "Each person pays 22."),
            ("trip", "zh", "每人要付22元。"),
        ],
    )
    def test_plans_and_answers(self, name: str, language: Language, expected: str) -> None:
        events = run(plan_and_solve(language), SAMPLES[name][language])
        assert rules(events) == []
        assert 2 <= len(plan(events)) <= 4
        assert answer(events) == expected

    def test_its_steps_name_the_numbers(self) -> None:
        assert plan(run(plan_and_solve(), SAMPLES["cinema"]["en"])) == (
            "Multiply the 18 rows by the 24 seats in each row.",
            "Subtract the 356 seats that were sold from the number of all seats.",
        )

    @pytest.mark.parametrize("most", [1, 2])
    @BOTH
    def test_keeps_to_the_longest_plan_that_is_allowed(self, most: int, language: Language) -> None:
        events = run(plan_and_solve(language, most), SAMPLES["towers"][language])
        assert len(plan(events)) == most
        assert rules(events) == []
        assert "504" in answer(events)

    @BOTH
    def test_a_terse_planner_writes_short_steps(self, language: Language) -> None:
        template = load_template("plan_and_solve", "planner", "terse", language)
        events = run(plan_and_solve(language, planner=template), SAMPLES["towers"][language])
        assert 2 <= len(plan(events)) <= 4
        assert max(len(step.split()) for step in plan(events)) <= 5
        assert max(len(step) for step in plan(events)) <= {"en": 40, "zh": 10}[language]
        assert "504" in answer(events)

    @BOTH
    def test_without_format_rules_it_plans_in_prose_until_it_is_reminded(self, language: Language) -> None:
        template = load_template("plan_and_solve", "planner", "no_format_rules", language)
        events = run(plan_and_solve(language, planner=template), SAMPLES["cinema"][language])
        assert rules(events) == ["no_plan"]
        assert replies(events)[1].startswith("```python")
        assert "76" in answer(events)

    @BOTH
    def test_facts_come_from_memory_and_it_says_so(self, language: Language) -> None:
        events = run(plan_and_solve(language), SAMPLES["towers"][language])
        results = [event.text for event in events if isinstance(event, StepResult)]
        assert {"en": "From memory", "zh": "凭记忆"}[language] in results[0]

    def test_numbers_come_from_the_results_in_the_prompt(self) -> None:
        executor = load_template("plan_and_solve", "executor").replace(
            "{results}", "1. Multiply the rows by the seats.\nResult: 18 * 24 = 500"
        )
        events = run(plan_and_solve(executor=executor), SAMPLES["cinema"]["en"])
        results = [event.text for event in events if isinstance(event, StepResult)]
        assert results[-1].startswith("500 - 356 = 144")
        assert answer(events) == "144 seats stayed empty."

    def test_without_results_in_the_prompt_it_has_to_remember(self) -> None:
        executor = without(load_template("plan_and_solve", "executor"), "{results}")
        events = run(plan_and_solve(executor=executor), SAMPLES["towers"]["en"])
        results = [event.text for event in events if isinstance(event, StepResult)]
        assert results[-1].startswith("No earlier result tells me this")

    def test_says_so_when_it_does_not_know_a_step(self) -> None:
        executor = load_template("plan_and_solve", "executor").replace("{step}", "Ask the usher.")
        events = run(plan_and_solve(executor=executor), SAMPLES["cinema"]["en"])
        results = [event.text for event in events if isinstance(event, StepResult)]
        assert "cannot carry out this step" in results[0]
        assert "Ask the usher." in results[0]

    def test_carries_out_a_calculation_that_stands_in_a_step(self) -> None:
        executor = load_template("plan_and_solve", "executor").replace("{step}", "Work out 3 * 5.")
        events = run(plan_and_solve(executor=executor), SAMPLES["cinema"]["en"])
        assert next(event.text for event in events if isinstance(event, StepResult)) == "3 * 5 = 15"

    @BOTH
    def test_plans_a_calculation(self, language: Language) -> None:
        question = {"en": "What is 12 * 7?", "zh": "12乘7是多少？"}[language]
        assert "12 * 7 = 84" in answer(run(plan_and_solve(language), question))

    @BOTH
    def test_says_that_it_is_scripted_when_asked_anything_else(self, language: Language) -> None:
        events = run(plan_and_solve(language), UNKNOWN[language])
        assert len(plan(events)) == 1
        assert IS_SCRIPTED[language] in answer(events)

    @pytest.mark.parametrize("name", ["primes", "rainbow"])
    @BOTH
    def test_does_a_writing_task_in_one_step(self, name: str, language: Language) -> None:
        events = run(plan_and_solve(language), SAMPLES[name][language])
        assert len(plan(events)) == 1
        assert {"primes": "def ", "rainbow": {"en": "rainbow", "zh": "彩虹"}[language]}[name] in answer(events)


class TestDirect:
    @BOTH
    def test_answers_facts_from_an_old_memory(self, language: Language) -> None:
        events = run(Direct(quick(), settings=Settings(language)), SAMPLES["towers"][language])
        assert "504" in answer(events)

    @pytest.mark.parametrize(
        ("variant", "expected"), [("default", "15.27"), ("only_the_answer", "15.27"), ("step_by_step", "22")]
    )
    @BOTH
    def test_slips_unless_it_goes_step_by_step(self, variant: str, expected: str, language: Language) -> None:
        template = load_template("direct", "answer", variant, language)
        assert expected in answer(run(direct(template, language), SAMPLES["trip"][language]))

    def test_goes_step_by_step_also_when_the_prompt_is_the_papers(self) -> None:
        template = "Let's understand the problem and devise a plan. Then carry out the plan step by step.\n\n{question}"
        assert "15 + 7 = 22" in answer(run(direct(template), SAMPLES["trip"]["en"]))

    @pytest.mark.parametrize(("language", "expected"), [("en", "76 seats"), ("zh", "76个座位")])
    def test_writes_the_answer_alone_when_told_to(self, language: Language, expected: str) -> None:
        template = load_template("direct", "answer", "only_the_answer", language)
        assert answer(run(direct(template, language), SAMPLES["cinema"][language])) == expected

    @pytest.mark.parametrize(("language", "label"), [("en", "Answer: "), ("zh", "答案：")])
    def test_ends_with_the_line_that_the_prompt_asks_for(self, language: Language, label: str) -> None:
        template = load_template("direct", "answer", "step_by_step", language)
        lines = answer(run(direct(template, language), SAMPLES["cinema"][language])).splitlines()
        assert lines[0] == "1. 18 * 24 = 432"
        assert lines[-1].startswith(label)

    @BOTH
    def test_says_that_it_is_scripted_when_asked_anything_else(self, language: Language) -> None:
        assert IS_SCRIPTED[language] in answer(run(direct("{question}", language), UNKNOWN[language]))

    def test_a_prompt_without_the_question_gets_no_answer_to_it(self) -> None:
        assert IS_SCRIPTED["en"] in answer(run(direct("Answer well."), SAMPLES["towers"]["en"]))

    @pytest.mark.parametrize("question", ["1 / 0", "What is 9 ** 9 ** 9 ** 9?"])
    def test_says_so_when_it_cannot_calculate(self, question: str) -> None:
        assert "cannot work out" in answer(run(direct("{question}"), question))


def primes_by(code: str, n: int) -> list[int]:
    """What the code's function returns."""
    names: dict[str, object] = {}
    exec(code, names)
    function = next(value for name, value in names.items() if name.startswith("primes"))
    assert callable(function)
    result: list[int] = function(n)
    return result


PRIMES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]


class TestReflection:
    @BOTH
    def test_default_review_asks_for_less_work_and_then_approves(self, language: Language) -> None:
        events = run(reflection(language, writer="python"), SAMPLES["primes"][language])
        assert "isqrt" in feedbacks(events)[0].text
        assert "isqrt" not in drafts(events)[0]
        assert "isqrt" in drafts(events)[1]
        assert verdicts(events) == [False, True]
        assert rules(events) == []
        assert end(events) == "approved"

    @BOTH
    def test_efficiency_review_leads_to_the_sieve(self, language: Language) -> None:
        events = run(reflection(language, writer="python", reviewer="efficiency"), SAMPLES["primes"][language])
        assert "O(n²)" in feedbacks(events)[0].text
        assert {"en": "Sieve", "zh": "筛法"}[language] in feedbacks(events)[0].text
        assert "%" not in drafts(events)[1]
        assert verdicts(events) == [False, True]

    @BOTH
    def test_readability_review_changes_names_and_no_algorithm(self, language: Language) -> None:
        events = run(reflection(language, writer="python", reviewer="readability"), SAMPLES["primes"][language])
        assert "r, i, p, j" in feedbacks(events)[0].text
        assert "candidate % divisor" in drafts(events)[1]
        assert "isqrt" not in drafts(events)[1]
        assert verdicts(events) == [False, True]

    @pytest.mark.parametrize("name", list(SAMPLES))
    @BOTH
    def test_kind_review_approves_at_once(self, name: str, language: Language) -> None:
        assert verdicts(run(reflection(language, reviewer="kind"), SAMPLES[name][language])) == [True]

    @pytest.mark.parametrize("reviewer", ["default", "efficiency", "readability"])
    @pytest.mark.parametrize("writer", ["python", "default"])
    @pytest.mark.parametrize("n", [-1, 0, 1, 2, 3, 9, 30])
    def test_every_version_of_the_code_is_right(self, reviewer: str, writer: str, n: int) -> None:
        events = run(reflection(writer=writer, reviewer=reviewer), SAMPLES["primes"]["en"])
        codes = [re.sub(r"^```.*$", "", draft, flags=re.MULTILINE) for draft in drafts(events)]
        assert [primes_by(code, n) for code in codes] == [[prime for prime in PRIMES if prime <= n]] * 2

    def test_type_hints_and_docstrings_come_from_the_prompt(self) -> None:
        asked = drafts(run(reflection(writer="python"), SAMPLES["primes"]["en"]))
        not_asked = drafts(run(reflection(), SAMPLES["primes"]["en"]))
        assert ["-> list[int]" in draft and '"""' in draft for draft in asked] == [True, True]
        assert ["->" in draft or '"""' in draft for draft in not_asked] == [False, False]

    @pytest.mark.parametrize("reviewer", ["default", "efficiency", "readability", "strict", "kind"])
    @BOTH
    def test_the_review_depends_on_the_work_and_not_on_the_round(self, reviewer: str, language: Language) -> None:
        prompt = load_template("reflection", "reviewer", reviewer, language)
        prompt = prompt.replace("{question}", SAMPLES["primes"][language])
        sieve = drafts(run(reflection(writer="python", reviewer="efficiency"), SAMPLES["primes"]["en"]))[1]
        clear = re.sub(r"\bs\b", "is_prime", sieve)
        clear = re.sub(r"\bi\b", "number", re.sub(r"\bj\b", "multiple", re.sub(r"\bp\b", "still_prime", clear)))
        assert reply(prompt.replace("{draft}", clear)).text.endswith({"en": "APPROVED", "zh": "通过"}[language])

    @BOTH
    def test_code_that_does_not_run_is_sent_back(self, language: Language) -> None:
        prompt = load_template("reflection", "reviewer", "default", language)
        prompt = prompt.replace("{question}", SAMPLES["primes"][language])
        review = reply(prompt.replace("{draft}", "def primes(n):\n    return [2, 3")).text
        assert {"en": "syntax error", "zh": "语法错误"}[language] in review
        assert review.endswith({"en": "REVISE", "zh": "修改"}[language])

    @BOTH
    def test_review_finds_the_slip_and_the_revision_mends_it(self, language: Language) -> None:
        events = run(reflection(language), SAMPLES["trip"][language])
        assert "15.27" in drafts(events)[0]
        assert "15 + 7 = 22" in feedbacks(events)[0].text
        assert "22" in drafts(events)[1]
        assert verdicts(events) == [False, True]

    @pytest.mark.parametrize(
        ("name", "expected"), [("towers", "828 - 324 = 504"), ("cinema", "432 - 356 = 76"), ("sunlight", "/ 60 = 8.33")]
    )
    @BOTH
    def test_review_asks_for_the_working_of_a_right_answer(self, name: str, expected: str, language: Language) -> None:
        events = run(reflection(language), SAMPLES[name][language])
        assert expected not in drafts(events)[0]
        assert expected in drafts(events)[1]
        assert verdicts(events) == [False, True]

    def test_a_reviewer_of_clarity_lets_a_wrong_number_pass(self) -> None:
        events = run(reflection(reviewer="readability"), SAMPLES["trip"]["en"])
        assert verdicts(events) == [False, True]
        assert "15.27" in answer(events)

    @BOTH
    def test_the_rainbow_is_told_in_two_sentences_and_easier_words(self, language: Language) -> None:
        events = run(reflection(language), SAMPLES["rainbow"][language])
        hard = {"en": "refraction", "zh": "折射"}[language]
        assert hard in feedbacks(events)[0].text
        assert [hard in draft for draft in drafts(events)] == [True, False]
        assert [len(re.findall(r"[.。]", draft)) for draft in drafts(events)] == [3, 2]
        assert end(events) == "approved"

    @BOTH
    def test_not_asked_for_a_verdict_it_writes_none(self, language: Language) -> None:
        template = load_template("reflection", "reviewer", "default", language)
        template = template[: template.index({"en": " Then write the last line", "zh": "最后一行"}[language])]
        agent = Reflection(quick(), {"reviewer": template}, Settings(language), max_rounds=1)
        review = feedbacks(run(agent, SAMPLES["trip"][language]))[0]
        assert "15 + 7 = 22" in review.text
        assert not re.search("verdict|approved|revise|结论", review.text, re.IGNORECASE)

    @BOTH
    def test_says_that_it_is_scripted_when_asked_anything_else(self, language: Language) -> None:
        events = run(reflection(language), UNKNOWN[language])
        assert IS_SCRIPTED[language] in answer(events)
        assert end(events) == "approved"

    def test_an_edited_reviewer_is_still_a_reviewer(self) -> None:
        template = (
            "Give feedback on how to improve it.\n\n{question}\n\nDraft:\n{draft}\n\nEnd with APPROVED or REVISE."
        )
        agent = Reflection(quick(), {"reviewer": template})
        assert verdicts(run(agent, SAMPLES["trip"]["en"]))[-1]

    def test_an_edited_reviser_is_still_a_reviser(self) -> None:
        template = "Rewrite this: {question}\n\nYour draft:\n{draft}\n\nComments:\n{feedback}"
        agent = Reflection(quick(), {"reviser": template})
        assert end(run(agent, SAMPLES["trip"]["en"])) == "approved"


@pytest.mark.parametrize("name", list(SAMPLES))
@pytest.mark.parametrize(
    ("agent", "role"), [(agent, role) for agent in ("plan_and_solve", "reflection") for role in ROLES[agent]]
)
@BOTH
def test_no_variant_leaves_a_run_without_an_answer(name: str, agent: str, role: str, language: Language) -> None:
    kind = {"plan_and_solve": PlanAndSolve, "reflection": Reflection}[agent]
    templates = [{role: load_template(agent, role, variant, language)} for variant in variants(agent, role)]
    runs = [kind(quick(), chosen, Settings(language)).run(SAMPLES[name][language]) for chosen in templates]
    assert [one.answer is not None for one in runs] == [True] * len(templates)
