"""What the browser makes of the messages that a page sends, as Streamlit 1.67's frontend does it: a tree of blocks.

Messages wait in a queue until they are sent, and there a newer one takes the place of an older one for the same path:
two drawings of a place that meet in the queue reach the browser in another order than they were drawn. Where a block
comes as another type than it was before, the browser drops its children, and a message for one of those children then
ends in an error that leaves a white page. `Browser` finds that out without a browser.
"""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

Path = tuple[int, ...]

ROOTS = ("main", "sidebar", "event", "bottom")  # what the first index of a path means


@dataclass
class Node:
    """A block with its children, or an element, whose `kind` is its whole content."""

    kind: str
    is_block: bool = False
    children: list["Node"] = field(default_factory=list)


class Browser:
    """The tree on the screen. `show` takes what is sent at once; it raises LookupError where a page goes white."""

    def __init__(self) -> None:
        self._root = Node("root", is_block=True, children=[Node(name, is_block=True) for name in ROOTS])

    def show(self, messages: Sequence[ForwardMsg]) -> None:
        """Takes these messages as they come out of the queue when they have waited in it together."""
        queue = ForwardMsgQueue()
        for message in messages:
            queue.enqueue(_copied(message))
        for message in queue.flush():
            self._take(message)

    def at(self, path: Path) -> Node | None:
        """What stands at a path."""
        node: Node | None = self._root
        for index in path:
            node = node.children[index] if node is not None and index < len(node.children) else None
        return node

    def _take(self, message: ForwardMsg) -> None:
        path, delta = tuple(message.metadata.delta_path), message.delta
        if delta.WhichOneof("type") == "add_block":
            kind = str(delta.add_block.WhichOneof("type"))
            before = self.at(path)
            stays = before is not None and before.is_block and before.kind == kind
            self._set(path, Node(kind, is_block=True, children=before.children if before and stays else []))
        else:
            self._set(path, Node(str(delta.new_element)))

    def _set(self, path: Path, node: Node) -> None:
        *above, last = path
        parent = self.at(tuple(above))
        if parent is None or not parent.is_block or last > len(parent.children):
            raise LookupError(f"nothing to draw into at {path}: {node.kind[:80]}")
        parent.children[last : last + 1] = [node]


def assert_drawn_whole(messages: Sequence[ForwardMsg], times: int) -> None:
    """Fails where the browser shows less than was drawn when these messages wait together, in pieces of any lengths.

    `times` is how many ways of cutting them into pieces are tried.
    """
    one_by_one = Browser()
    for message in messages:
        one_by_one.show([message])
    paths = {tuple(message.metadata.delta_path) for message in messages}
    for seed in range(times):
        browser, places = Browser(), random.Random(seed)
        cuts = sorted(places.sample(range(len(messages)), k=min(len(messages), places.choice((0, 3, 10, 30)))))
        for start, end in zip([0, *cuts], [*cuts, len(messages)], strict=True):
            browser.show(messages[start:end])
        for path in paths:
            wanted, found = one_by_one.at(path), browser.at(path)
            assert wanted is None or (found is not None and found.kind == wanted.kind), (seed, path)


@contextmanager
def recorded_scripts() -> Iterator[list[list[ForwardMsg]]]:
    """Everything that AppTest draws meanwhile, in the order in which it is drawn: a list for each run of the script."""
    scripts: list[list[ForwardMsg]] = []
    enqueue, clear = ForwardMsgQueue.enqueue, ForwardMsgQueue.clear

    def record(queue: ForwardMsgQueue, message: ForwardMsg) -> None:
        if message.HasField("delta"):
            scripts[-1].append(_copied(message))
        enqueue(queue, message)

    def begin(queue: ForwardMsgQueue, *settings: Any, **more_settings: Any) -> None:
        scripts.append([])
        clear(queue, *settings, **more_settings)

    with patch.object(ForwardMsgQueue, "enqueue", record), patch.object(ForwardMsgQueue, "clear", begin):
        yield scripts


def _copied(message: ForwardMsg) -> ForwardMsg:
    copied = ForwardMsg()
    copied.CopyFrom(message)
    return copied
