"""A dialog whose contents answer while a run is drawn."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def open_dialog(title: str) -> DeltaGenerator:
    """An empty dialog to draw into. It has to be drawn in every rerun for as long as it is to stay open.

    What a dialog's function draws belongs to a fragment, and a fragment waits for the script: beside a run that is
    being drawn, nothing in the dialog would answer until the run is over. So the function makes only a place.
    """
    places: list[DeltaGenerator] = []

    def make_place() -> None:
        places.append(st.container())

    st.dialog(title, width="large", dismissible=False)(make_place)()
    return places[0]
