"""A paradigm's page: question, settings, Run and Stop, the live run, and what came of it.

All paradigms share this page; what differs is in `paradigms.py` and in the texts. What a person sets is kept in the
session under "<paradigm>.<setting>", the run under "<paradigm>.run" and the one before it under "<paradigm>.previous".
"""

from functools import partial

import streamlit as st

from agents.base import Settings
from agents.by_name import make_agent
from agents.events import StepStarted
from agents.forking import changeable
from agents.recording import to_json
from agents.run import Run
from agents.samples import samples
from agents.tools.web_search import search_problem
from components.checked_inputs import InputError, asked_question, model_to_ask
from components.context_view import draw_context
from components.experiment_inputs import draw_question_box
from components.fork_view import draw_fork
from components.live_run import LiveRun
from components.loop_diagram import draw_diagram
from components.page_settings import (
    ask_sample,
    chosen_switches,
    chosen_toolbox,
    is_phone,
    prepare,
    prepare_question,
    samples_for,
    toolbox,
)
from components.paradigms import PARADIGMS, Paradigm
from components.prompt_editor import draw_prompt_editor, templates
from components.run_summary import draw_changes, draw_failure
from components.run_view import RunView, follow
from components.safe_text import plain
from components.server_settings import server_settings
from components.texts import language, say
from components.what_if import close_fork, draw_button, draw_dialog, fork_is_working, stop_all


def draw(name: str) -> None:
    """Draws the page of the paradigm with this name, and follows its run if one is going on."""
    paradigm = PARADIGMS[name]
    _prepare(paradigm)
    live: LiveRun | None = st.session_state.get(f"{name}.run")
    # Asked once: what is drawn below has to fit the buttons, even if a run ends meanwhile.
    fork_works, run_works = fork_is_working(name), live is not None and live.is_working
    is_working = fork_works or run_works
    with st.sidebar:
        draw_prompt_editor(name, _preview_values(paradigm))
    left, right = (st.container(), None) if is_phone() else st.columns([5, 2], gap="medium")
    with left:
        st.markdown(say(f"paradigms.{name}_about"))
        draw_question_box(name, samples_for(name))
        _draw_controls(paradigm, is_working)
    # Two places in turn: what the last run drew would stay inside the new run's cards until the script has ended.
    notice, places, after = st.empty(), (st.empty(), st.empty()), st.empty()
    diagram = (right or st.container()).empty()
    if problem := st.session_state.get(f"{name}.problem"):
        notice.error(problem, icon=":material/error:")
    elif live is None:
        notice.info(say("page.what_next"), icon=":material/arrow_upward:")
    draw_dialog(name)
    if live is None or f"{name}.fork" in st.session_state:
        draw_diagram(diagram, name, None)
    if draw_fork(name, fork_works) or live is None:
        return
    with places[st.session_state.get(f"{name}.turn", 0)].container():
        button = None if run_works else partial(draw_button, name, live, name, _expected(live))
        view = RunView(live, diagram, bool(st.session_state.get(f"{name}.cards_open")), button)
    if run_works:
        follow(view)
        st.rerun()  # the page once more, with Run in the place of Stop and what is shown after a run
    with after.container():
        _draw_after(paradigm, live)


def start_sample(name: str, sample_name: str) -> None:
    """Begins a run of the paradigm on a sample question; its page shows it."""
    _prepare(PARADIGMS[name])
    ask_sample(name, sample_name)
    _start(name)


def _prepare(paradigm: Paradigm) -> None:
    prepare(paradigm.name)
    prepare_question(paradigm.name, samples_for(paradigm.name))


def _draw_controls(paradigm: Paradigm, is_working: bool) -> None:
    name = paradigm.name
    with st.container(horizontal=True, vertical_alignment="center"):
        # Both are always there: an element that vanishes stays on the screen, pale, for as long as a run is drawn.
        st.button(
            say("page.run"),
            key=f"{name}.start",
            icon=":material/play_arrow:",
            type="primary",
            disabled=is_working,
            on_click=_start,
            args=(name,),
        )
        st.button(
            say("page.stop"),
            key=f"{name}.stop",
            icon=":material/stop_circle:",
            disabled=not is_working,
            on_click=stop_all,
            args=(name,),
        )
        with st.popover(say("page.settings"), icon=":material/tune:"):
            _draw_settings(paradigm)
        st.toggle(say("page.open_all"), key=f"{name}.cards_open", persist_state="session")


def _draw_settings(paradigm: Paradigm) -> None:
    name = paradigm.name
    st.slider(say(f"paradigms.{name}_limit"), 1, paradigm.most, key=f"{name}.limit", persist_state="session")
    st.slider(
        say("page.temperature"),
        0.0,
        2.0,
        step=0.1,
        key=f"{name}.temperature",
        persist_state="session",
        help=say("page.temperature_help"),
    )
    if paradigm.has_tools:
        st.pills(
            say("page.tools"),
            list(toolbox().names),
            selection_mode="multi",
            key=f"{name}.tools",
            persist_state="session",
            help=say("page.tools_help"),
        )
        if not server_settings().configuration.search_key:
            st.caption(say("page.sample_search"))
        elif problem := search_problem(language()):
            st.warning(plain(problem), icon=":material/warning:")
    for switch in paradigm.switches:
        help = say(f"page.{switch}_{name}_help")
        st.toggle(say(f"page.{switch}"), key=f"{name}.{switch}", persist_state="session", help=help)


def _start(name: str) -> None:
    """Begins a run with what is set at this moment; the run before it becomes the one that it is compared with."""
    state = st.session_state
    last: LiveRun | None = state.get(f"{name}.run")
    if last is not None and last.is_working:  # a second click before the first was drawn
        return
    state[f"{name}.problem"] = None
    try:
        question, model = asked_question(name), model_to_ask()
    except InputError as error:
        state[f"{name}.problem"] = str(error)
        return
    settings = Settings(language=language(), temperature=state[f"{name}.temperature"])
    agent = make_agent(
        name, model, chosen_toolbox(name), templates(name), settings, state[f"{name}.limit"], chosen_switches(name)
    )
    if last is not None and last.run.answer is not None:  # a stopped or failed run is nothing to compare with
        state[f"{name}.previous"] = last.run
    close_fork(name)
    state[f"{name}.turn"] = 1 - state.get(f"{name}.turn", 0)
    state[f"{name}.run"] = LiveRun(agent, question)
    state[f"{name}.run"].start()


def _draw_after(paradigm: Paradigm, live: LiveRun) -> None:
    name = paradigm.name
    draw_failure(live)
    previous: Run | None = st.session_state.get(f"{name}.previous")
    if previous is not None:
        draw_changes(live.run, previous)
    if any(changeable(live.run, step.number) for step in live.run.of(StepStarted)):
        st.markdown(f":material/call_split: {say('what_if.hint')}")
    draw_context(live.run)
    st.download_button(
        say("page.save"),
        lambda: to_json(live.run),
        file_name=f"{name}.json",
        mime="application/json",
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
        key=f"{name}.save",
    )


def _expected(live: LiveRun) -> str | None:
    """What a right answer holds, where the run's question is a sample."""
    return next((sample.expected or None for sample in samples() if live.question in sample.text.values()), None)


def _preview_values(paradigm: Paradigm) -> dict[str, str]:
    """What the prompt editor fills its preview with: the real question and tools, and examples of the rest."""
    examples = ("plan", "results", "step", "draft", "feedback", "history", "fault", "trajectory")
    values = {example: say(f"page.example_{example}") for example in examples}
    limit = st.session_state[f"{paradigm.name}.limit"]
    question = st.session_state[f"{paradigm.name}.question"]
    return values | {"question": question, "tools": chosen_toolbox(paradigm.name).describe(), "max_steps": str(limit)}
