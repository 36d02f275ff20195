"""Which language a text is in, as far as the tools need to know."""

import re

from agents.events import Language


def language_of(text: str) -> Language:
    """Chinese where the text holds a Chinese character, else English.

    >>> language_of("埃菲尔铁塔 height")
    'zh'
    """
    return "zh" if re.search(r"[\u3400-\u9fff]", text) else "en"
