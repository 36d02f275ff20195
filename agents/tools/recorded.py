"""Tools whose first uses return what was recorded: the start of a fork, in which nothing is searched for again."""

from collections.abc import Sequence

from agents.events import Action, Observation
from agents.stopping import StopSignal
from agents.tools.toolbox import Toolbox


class RecordedToolbox(Toolbox):
    """The tools of another toolbox. A recorded use (an action and what came of it) is given once, in order."""

    def __init__(self, uses: Sequence[tuple[Action, Observation]], toolbox: Toolbox) -> None:
        super().__init__(toolbox.tools, toolbox.language)
        self._uses = list(uses)

    def use(self, name: str, input: str, stop: StopSignal) -> Observation:
        """The first recorded observation of this very action that was not given yet; else what the tool says now."""
        action = Action(name, input)
        for position, (recorded, observation) in enumerate(self._uses):
            if recorded == action:
                del self._uses[position]
                return observation
        return super().use(name, input, stop)
