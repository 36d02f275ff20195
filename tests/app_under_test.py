"""What the tests of pages share: the app in AppTest, opened at a page."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from agents import wording
from agents.events import Language
from components import texts

ROOT = Path(__file__).parents[1]
PAGES = {"react": "pages/react.py", "plan_and_solve": "pages/plan_and_solve.py", "reflection": "pages/reflection.py"}
PAGES_WITH_LANES = {"compare": "pages/compare.py", "prompt_lab": "pages/prompt_lab.py"}


def open_page(name: str = "", **query: str) -> AppTest:
    """The app at a page ("" is home), in a session of its own, in English unless a `lang` is given."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    for key, value in query.items():
        app.query_params[key] = value
    app.run()
    return visit(app, name) if name else app


def visit(app: AppTest, name: str) -> AppTest:
    """The app at another page, in the same session."""
    app.switch_page((PAGES | PAGES_WITH_LANES)[name]).run()
    return app


def click(app: AppTest, key: str) -> AppTest:
    """The app after a click on the button with this key; a run that it starts is followed to its end."""
    app.button(key=key).click().run()
    return app


def run_and_look(app: AppTest, key: str) -> AppTest:
    """The app after a click that starts runs, drawn once more when they are over."""
    click(app, key).run()
    return app


def switch_language(app: AppTest, wanted: Language) -> AppTest:
    """The app in another language."""
    app.session_state["language"] = wanted
    app.run()
    return app


def words(app: AppTest) -> str:
    """Everything that the page says in Markdown, captions, code and messages."""
    parts = [*app.markdown, *app.caption, *app.code, *app.error, *app.info, *app.warning]
    return "\n".join(str(part.value) for part in parts)


def labels(app: AppTest) -> list[str]:
    """The labels of all cards and other expanders."""
    return [expander.label for expander in app.expander]


def buttons(app: AppTest) -> set[str]:
    """The keys of all buttons."""
    return {str(button.key) for button in app.button}


def drawn_html(app: AppTest) -> list[str]:
    """The HTML of the app's own that is on the page: differences and struck-out text."""
    return [str(getattr(part, "value", "")) for part in app.get("html")]


def text(key: str, lang: Language = "en", **values: str) -> str:
    """What the app says under this key ("file.entry") in a language, its placeholders filled."""
    prefix, name = key.split(".")
    said = wording.load(texts.__name__, prefix)[name][lang]
    for placeholder, value in values.items():
        said = said.replace(f"{{{placeholder}}}", value)
    return said
