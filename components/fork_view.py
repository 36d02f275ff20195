"""A fork beside the run that it came from: what was changed, both runs live, and what came of it."""

from functools import partial

import streamlit as st

from components.card_labels import change_badge
from components.comparison_figures import figures_of
from components.comparison_results import draw_opening
from components.comparison_run import ComparisonRun
from components.differences import differences, differences_as_html
from components.lanes import LanesView
from components.outcome import outcome_sentence
from components.outcome_table import draw_outcome_table, outcome_rows
from components.run_view import follow
from components.texts import say
from components.what_if import lane_button, leave_fork


def draw_fork(page: str, is_working: bool) -> bool:
    """Draws the page's fork, if there is one, in the place of what the page shows else, and follows it to its end.

    `is_working` is what `fork_is_working` said at the beginning of this script, by which the buttons were drawn.
    Returns whether there is a fork.
    """
    state = st.session_state
    places = st.empty(), st.empty()  # in turn: what the last fork drew would stay inside the new one
    fork: ComparisonRun | None = state.get(f"{page}.fork")
    if fork is None:
        return False
    with places[state.get(f"{page}.fork_turn", 0)].container():
        _draw_change(page, fork)
        button = None if is_working else partial(lane_button, page)
        view = LanesView(fork, f"{page}.fork", button, cards_open=bool(state.get(f"{page}.cards_open")), first="fork")
        if is_working:
            follow(view)
            st.rerun()
        _draw_outcome(page, fork)
    return True


def _draw_change(page: str, fork: ComparisonRun) -> None:
    change = fork.lanes["fork"].agent(fork.jobs[0].language).settings.changes[-1]
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            values = {"step": str(change.step), "change": change_badge(change)}
            st.markdown(f"#### :material/call_split: {say('what_if.changed_in_step', values)}")
            st.button(
                say("what_if.back"), key=f"{page}.fork.back", icon=":material/undo:", on_click=leave_fork, args=(page,)
            )
        st.html(differences_as_html(differences(change.before, change.after)))
        st.caption(say("what_if.taken_over", {"step": str(change.step)}))


def _draw_outcome(page: str, fork: ComparisonRun) -> None:
    figures = {job.lane: [row] for job, row in figures_of(fork).items()}
    if len(figures) == len(fork.lanes) and all(row.reason for rows in figures.values() for row in rows):
        is_first = fork.lanes["original"].label == "what_if.original"
        original = say(f"what_if.{'original' if is_first else 'before_it'}_in_a_sentence")
        changed = say("what_if.fork_in_a_sentence")
        st.markdown(f"#### {outcome_sentence(original, figures['original'], changed, figures['fork'])}")
        titles = [say(lane.label) for lane in fork.lanes.values()]
        draw_outcome_table(outcome_rows(titles, [figures["original"], figures["fork"]]))
    draw_opening(fork, f"{page}.fork")
