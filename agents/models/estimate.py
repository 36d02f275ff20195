"""Counts tokens roughly, for servers that do not report them.

The rule: four ASCII characters make a token, and so do one and a half Chinese, Japanese or Korean characters, and two
of any other script. Every chat turn adds four tokens for its role and its marks. Measured with Qwen 2.5's tokenizer
it is off by a tenth to a fifth on prose, and by up to half on code; a figure made with it carries a ≈.
"""

import math
import re
from collections.abc import Iterable

from agents.events import Message, Usage

_EAST_ASIAN = re.compile(
    r"[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff]"
)
_TURN = 4


def estimate_tokens(text: str) -> int:
    """About how many tokens the text has.

    >>> estimate_tokens("The height of the tower"), estimate_tokens("机器学习"), estimate_tokens("")
    (6, 3, 0)
    """
    east_asian = len(_EAST_ASIAN.findall(text))
    plain = sum(character.isascii() for character in text)
    other = len(text) - east_asian - plain
    return math.ceil(plain / 4 + east_asian / 1.5 + other / 2)


def estimate_usage(messages: Iterable[Message], reply_text: str) -> Usage:
    """About what a call cost. `reply_text` is everything the model wrote, its reasoning included."""
    sent = sum(_TURN + estimate_tokens(message.content) for message in messages)
    return Usage(sent, estimate_tokens(reply_text), estimated=True)
