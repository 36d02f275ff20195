"""Everything that is drawn with Streamlit, and what pages share. Imports `agents`, never a page."""
