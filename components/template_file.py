"""A set of prompt templates as a JSON file: `{"version": 1, "agent": …, "language": …, "templates": {role: text}}`.

What the file holds and this program does not know is refused, never left out in silence.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from agents.events import Language
from agents.prompts import ROLES, plain_newlines
from components.texts import LANGUAGES

VERSION = 1
LONGEST_TEMPLATE = 20_000  # characters
_FIELDS = {"version", "agent", "language", "templates"}


@dataclass(frozen=True)
class TemplateSet:
    """The templates of an agent in one language, by role. A file may hold some of the roles only."""

    agent: str
    language: Language
    templates: dict[str, str]


@dataclass
class TemplateFileError(Exception):
    """A file that is refused. `reason` is an entry `file_…` of `prompt_editor.toml`, `values` what to fill it with."""

    reason: str
    values: Mapping[str, str] = field(default_factory=dict)


def write_template_set(templates: TemplateSet) -> str:
    """The file's text, which `read_template_set` reads back."""
    content = {
        "version": VERSION,
        "agent": templates.agent,
        "language": templates.language,
        "templates": templates.templates,
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def read_template_set(data: bytes) -> TemplateSet:
    """What the file holds, with plain newlines. Raises TemplateFileError where it is not wholly understood.

    >>> read_template_set(b'{"version": 1, "agent": "direct", "language": "en", "templates": {"answer": "{question}"}}')
    TemplateSet(agent='direct', language='en', templates={'answer': '{question}'})
    """
    content = _parse(data)
    if content.keys() != _FIELDS:
        missing, unknown = _FIELDS - content.keys(), content.keys() - _FIELDS
        raise TemplateFileError("unknown_field" if unknown else "missing_field", {"names": _listed(unknown or missing)})
    if content["version"] != VERSION:
        raise TemplateFileError("version", {"found": str(content["version"]), "known": str(VERSION)})
    agent, templates = content["agent"], content["templates"]
    if not isinstance(agent, str) or agent not in ROLES:
        raise TemplateFileError("agent", {"found": str(agent), "known": _listed(ROLES)})
    language = next((name for name in LANGUAGES if name == content["language"]), None)
    if language is None:
        raise TemplateFileError("language", {"found": str(content["language"]), "known": _listed(LANGUAGES)})
    if not isinstance(templates, dict) or not templates:
        raise TemplateFileError("no_templates")
    if unknown := templates.keys() - ROLES[agent].keys():
        raise TemplateFileError("role", {"found": _listed(unknown), "known": _listed(ROLES[agent])})
    return TemplateSet(agent, language, {role: _template(role, text) for role, text in templates.items()})


def _parse(data: bytes) -> dict[str, object]:
    try:
        content = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_without_repeats)
    except UnicodeDecodeError:
        raise TemplateFileError("not_utf8") from None
    except (ValueError, RecursionError):
        raise TemplateFileError("not_json") from None
    if not isinstance(content, dict):
        raise TemplateFileError("not_json")
    return content


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """JSON lets a name stand twice, and of two templates one would be lost."""
    content = dict(pairs)
    if len(content) < len(pairs):
        names = [name for name, _ in pairs]
        raise TemplateFileError("repeated_field", {"names": _listed({name for name in names if names.count(name) > 1})})
    return content


def _template(role: str, text: object) -> str:
    if not isinstance(text, str):
        raise TemplateFileError("not_text", {"role": role})
    if len(text) > LONGEST_TEMPLATE:
        raise TemplateFileError("too_long", {"role": role, "most": f"{LONGEST_TEMPLATE:,}"})
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise TemplateFileError("half_character", {"role": role})  # half of a pair: it cannot be sent to a model
    return plain_newlines(text)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
