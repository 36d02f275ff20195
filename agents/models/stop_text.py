"""Ends a text at a stop string, as it arrives, for the servers that do not do it themselves."""


class StopCutter:
    """Takes a text in pieces and returns it up to the earliest stop string, also where that is split over pieces.

    What could be the beginning of a stop string is held back until it is clear what it is.

    >>> cutter = StopCutter(("Observation",))
    >>> [cutter.feed(piece) for piece in ["a\\nObs", "ervation: b", "c"]], cutter.is_cut
    (['a\\n', '', ''], True)
    """

    def __init__(self, stops: tuple[str, ...]) -> None:
        self._stops = tuple(stop for stop in stops if stop)
        self._held = ""
        self.is_cut = False

    def feed(self, piece: str) -> str:
        """What has become certain with this piece."""
        if self.is_cut:
            return ""
        held = self._held + piece
        found = [position for stop in self._stops if (position := held.find(stop)) >= 0]
        if found:
            self.is_cut, self._held = True, ""
            return held[: min(found)]
        certain = len(held) - max((_overlap(held, stop) for stop in self._stops), default=0)
        self._held = held[certain:]
        return held[:certain]

    def end(self) -> str:
        """What was held back, once nothing more comes."""
        held, self._held = self._held, ""
        return held


def _overlap(text: str, stop: str) -> int:
    """The length of the longest end of `text` that is a beginning of `stop`."""
    longest = min(len(text), len(stop) - 1)
    return next((length for length in range(longest, 0, -1) if text.endswith(stop[:length])), 0)
