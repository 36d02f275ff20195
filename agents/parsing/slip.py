"""What a parser had to do to a reply, so that nothing is mended silently."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Slip:
    """A rule that a reply broke and the text that was thrown away for it (`cut`, empty where nothing was).

    `rule` is the part after "slip." of a key in `wording`.
    """

    rule: str
    cut: str = ""
