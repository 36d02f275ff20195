r"""Text of a model, a tool or a person, made safe for Streamlit's Markdown: it is shown as data, it does nothing.

`as_markdown` keeps the formatting that models use (paragraphs, lists, tables, bold, code, links to http pages) and
shows everything else as typed: prices, LaTeX, HTML, images, and Streamlit's `:red[…]`, `:material/…:`, `:smile:`, `->`.
`plain` keeps no formatting at all, for labels. One thing cannot be mended from here: inside code, Streamlit itself
turns `:material/` into `:material_`.

What makes it certain: every character that could mean something is escaped, except in the few forms recognised here as
harmless. A block of code is written anew, at the very left and in a fence longer than any inside it, so that the
browser cannot see its borders elsewhere than this file does.
"""

import re
from collections import deque
from collections.abc import Iterator

# The browser replaces `->`, `:smile:` and the like after the escapes are undone, but only within one run of text.
# An empty directive parts the run: it shows nothing, and copied text does not contain it.
PART = ":small[]"

DEEPEST = 8  # quotes and lists within one another; thousands of them would choke the browser
PREFIX = re.compile(r" *(?:> ?|(?:[-+*]|\d{1,9}[.)]) +(?=\S))")
HEADING = re.compile(r"(#{1,6})[ \t]+(?=\S)")
FENCE = re.compile(r"(?P<mark>`{3,}(?=[^`]*$)|~{3,})[ \t]*(?P<language>[\w+#.-]*)")
RULE = re.compile(r"([-*_])(?:[ \t]*\1){2,}[ \t]*")
TABLE_RULE = re.compile(r"(?=.*-)(?=.*[|:])[|:\- \t]+")

LABEL = r"(?:`[^`]+`|[^\[\]`])*"
ADDRESS = r"https?://[^\s<>()\[\]\\`|]+(?:\([^\s<>()\[\]\\`|]*\)[^\s<>()\[\]\\`|]*)*"
MARKUP = re.compile(
    rf"""
    (?P<formula> \\\( .+? \\\) | \\\[ .+? \\\] )
  | (?P<escape>  \\[*_`\#~|>+.!$<-] )
  | (?P<code>    (?P<ticks>`+) (?P<inside>.+?) (?<!`) (?P=ticks) (?!`) )
  | (?P<no_code> `+ )
  | (?P<image>   !\[ {LABEL} \] (?: \( [^()]* \) )? )
  | (?P<link>    \[ (?P<label> {LABEL} ) \] (?P<address> \( {ADDRESS} \) ) )
  | (?P<bare>    < https?://[\w./~%?=&\#+,;@-]+ (?: :\d+ [\w./~%?=&\#+,;@-]* )? > )
  | (?P<stars>   \*+ )
  | (?P<name>    (?<!\w) __\w+?__ (?!\w) )
  | (?P<lines>   (?<![A-Za-z0-9_]) _+ | _+ (?![A-Za-z0-9_]) )
  | (?P<tildes>  ~+ )
    """,
    re.VERBOSE | re.IGNORECASE,
)
SPECIAL = re.compile(
    r"""
    (?P<symbol> (?<!\S) (?: <-> | -> | <- | -- | >= | <= | ~= ) (?!\S) )
  | (?P<name>   : (?= [\w+-][^\s:]*: | material/ ) )
  | (?P<www>    www (?=\.) )
  | (?P<other>  [\\`*_\[\]<>$:~\#] | & (?=\#?\w+;) | ! (?=\[|$) )
    """,
    re.VERBOSE | re.IGNORECASE,
)
LINK = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\\?\.)|(?<=@)", re.IGNORECASE)
LINE_START = re.compile(r"(\d*)([-+=.)])")


def as_markdown(text: str) -> str:
    r"""The text as Markdown for `st.markdown`: formatted, but nothing in it loads, runs or becomes a formula.

    >>> as_markdown("**$5** for ![x](http://a.example/leak)")
    '**\\$5** for \\!\\[x\\](http\\://a.example/leak)'
    """
    return "\n".join(_lines(deque(re.split(r"\r\n|\r|\n", text))))


def plain(text: str) -> str:
    r"""The text as Markdown for a label: shown exactly as typed, in one line, without links.

    >>> plain("Search: *args\nand $5")
    'Search\\: \\*args and \\$5'
    """
    return LINK.sub(PART, _literal(" ".join(text.split()), starts_line=True))


def shortened(text: str, most: int) -> str:
    """The text in one line of at most `most` characters, the last of them "…" where something was cut off.

    >>> shortened("height of  Tower A", 9)
    'height o…'
    """
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def _lines(lines: deque[str]) -> Iterator[str]:
    """The lines as the browser gets them: blocks of code written anew, all others escaped."""
    column: int | None = None  # where the text of the list's last item begins; None outside lists
    moved = 0  # how far a list's remaining lines move to the left, after a block of code has ended the list
    after_blank, in_table = True, False
    while lines:
        line = _with_blanks(lines.popleft())
        if not line:
            yield line
            after_blank, in_table = True, False
            continue
        if _indent(line) >= moved:
            line = line[moved:]
        else:
            moved = 0
            yield ""
        prefix, body = _split(line)
        if after_blank and not prefix:
            column = None
        if after_blank and _indent(line) >= (column or 0) + 4:
            moved += column or 0
            lines.appendleft(" " * moved + line)
            yield from _written(_indented(lines, moved + (4 if column is None else column + 4 - moved)))
            column = None
            continue
        if fence := FENCE.match(body):
            if prefix.strip(" >"):
                yield from ("", prefix)
            moved += len(prefix)
            yield from _written(_fenced(lines, fence["mark"], len(prefix), ">" in prefix), fence["language"])
            continue
        yield body
