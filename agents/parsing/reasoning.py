"""Parts a reply from the reasoning that some models write into it between `<think>` tags.

Knows nothing of what the reply says. Tags in backticks are talked about, not used, and stay.
"""

import re

_TAG = re.compile(r"(?<!(?<!`)`)(?:<(/?)(?:seed:)?(?:think|thinking|reasoning)>|◁(/?)think▷)(?!`(?!`))", re.IGNORECASE)

_ONLY_MARKS = re.compile(r"[\s.…*_#=~`>|-]*")  # an emoji does say something


def split_reasoning(text: str) -> tuple[str, str]:
    r"""The reply and the reasoning. A text without tags comes back as it is.

    An opening tag that is never closed makes everything after it reasoning, a closing tag without an opening one
    everything before it.

    >>> split_reasoning("<think>Maybe Search?</think>\nAction: Finish[42]")
    ('Action: Finish[42]', 'Maybe Search?')
    >>> split_reasoning("Maybe Search?</think>42")
    ('42', 'Maybe Search?')
    >>> split_reasoning("<think>Maybe Action: Search[abc]")
    ('', 'Maybe Action: Search[abc]')
    """
    reply: list[str] = []
    reasoning: list[str] = []
    depth = 0
    position = 0
    for tag in _TAG.finditer(text):
        piece = text[position : tag.start()]
        position = tag.end()
        closes = bool(tag[1] or tag[2])
        if depth > 0:
            reasoning.append(piece)
        elif closes:
            reasoning = [*reply, *reasoning, piece]
            reply = []
        else:
            reply.append(piece)
        depth = max(depth - 1, 0) if closes else depth + 1
    if position == 0:
        return text, ""
    (reasoning if depth > 0 else reply).append(text[position:])
    return "".join(reply).lstrip(), "\n".join(piece.strip() for piece in reasoning if piece.strip())


def says_nothing(text: str) -> bool:
    """Whether a reply is blank, or nothing but marks and reasoning.

    >>> says_nothing("<think>Well.</think>\\n..."), says_nothing("4")
    (True, False)
    """
    return _ONLY_MARKS.fullmatch(split_reasoning(text)[0]) is not None
