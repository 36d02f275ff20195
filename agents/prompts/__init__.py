"""The prompt templates: text files by agent, role, variant and language, and how they are filled and checked."""

from agents.prompts.fill import TemplateWarning, check_template, fill, pieces, placeholders_in, plain_newlines
from agents.prompts.library import ROLES, Role, default_templates, load_template, variants

__all__ = [
    "ROLES",
    "Role",
    "TemplateWarning",
    "check_template",
    "default_templates",
    "fill",
    "load_template",
    "pieces",
    "placeholders_in",
    "plain_newlines",
    "variants",
]
