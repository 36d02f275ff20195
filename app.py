"""The home page: what the three paradigms are, which model is in use, and a first run in one click."""

import streamlit as st

from components import frame, paradigm_page
from components.connection import model_label
from components.loop_diagram import draw_diagram
from components.paradigms import PARADIGMS
from components.safe_text import plain
from components.texts import say

FIRST_SAMPLE = {"react": "towers", "plan_and_solve": "trip", "reflection": "primes"}

frame.begin("home")
st.markdown(say("home.about"))
st.info(say("home.model", {"model": plain(model_label())}), icon=":material/memory:")
for column, paradigm in zip(st.columns(3, border=True), PARADIGMS.values(), strict=True):
    with column:
        st.markdown(f"### {paradigm.icon} {say(f'paradigms.{paradigm.name}')}")
        st.markdown(say(f"paradigms.{paradigm.name}_about"))
        draw_diagram(st.empty(), paradigm.name, None)
        sample = FIRST_SAMPLE[paradigm.name]
        label = say("home.watch", {"sample": say(f"page.sample_{sample}")})
        if st.button(label, key=f"home.{paradigm.name}", type="primary", icon=":material/play_arrow:", width="stretch"):
            paradigm_page.start_sample(paradigm.name, sample)
            st.switch_page(paradigm.page)
        st.page_link(paradigm.page, label=say("home.open"), icon=":material/arrow_forward:")
for name in ("compare", "prompt_lab"):
    page, icon = frame.PAGES[name]
    st.page_link(page, label=f"**{say(f'paradigms.{name}')}**: {say(f'paradigms.{name}_tagline')}", icon=icon)
