"""The demo model: a scripted stand-in for a language model, so that everything works without a key or a network.

It is a model like any other. It gets messages and replies with text; it knows nothing of agents, and it does not look
at a request's `role`. What it says is not computed by a network, though, but put together by rules:

    messages → reading (what does the prompt ask for?) → acting, planning, reviewing, revising or answering → text

Where tools are offered, `trajectory` reads the turns so far, `deciding` chooses the next move, `following` does what a
given thought says, and `orders` finds what an observation demands: the demo is gullible, unless its prompt warns it.
`problems` and `works` hold what it knows: the sample questions. To anything else it says that it is a scripted demo.
"""

from agents.models.demo.model import DEMO_NAME, DemoModel

__all__ = ["DEMO_NAME", "DemoModel"]
