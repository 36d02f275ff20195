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
QUOTE = re.compile(r" *> ?")
PREFIX = re.compile(r" *(?:> ?|(?:[-+*]|\d{1,9}[.)]) +(?=\S))")
HEADING = re.compile(r"(#{1,6})[ \t]+(?=\S)")
FENCE = re.compile(r"(?P<mark>`{3,}(?=[^`]*$)|~{3,})[ \t]*(?P<language>[\w+#.-]*)")
RULE = re.compile(r"([-*_])(?:[ \t]*\1){2,}[ \t]*")
TABLE_RULE = re.compile(r"(?=.*-)(?=.*[|:])[|:\- \t]+")

LABEL = r"(?:`[^`]+`|[^\[\]`])*"
ADDRESS = r"https?://[^\s<>()\[\]\\`|]+(?:\([^\s<>()\[\]\\`|]*\)[^\s<>()\[\]\\`|]*)*"
MARKUP = re.compile(
    rf"""
    (?P<formula> \\\( .{{1,300}}? \\\) | \\\[ .{{1,300}}? \\\] )
  | (?P<escape>  \\[*_`\#~|>+.!$<-] )
  | (?P<code>    (?P<ticks>`++) .+? (?<!`) (?P=ticks) (?!`) )
  | (?P<no_code> `++ )
  | (?P<image>   !\[ {LABEL} \] (?: \( [^()]* \) )? )
  | (?P<link>    \[ (?P<label> {LABEL} ) \] (?P<address> \( {ADDRESS} \) ) )
  | (?P<bare>    < https?://[\w./~%?=&\#+,;@-]+ (?: :\d+ [\w./~%?=&\#+,;@-]* )? > )
  | (?P<stars>   \*+ )
  | (?P<name>    (?<!\w) __\w+?__ (?!\w) )
  | (?P<lines>   (?<![A-Za-z0-9_]) _+ | _+ (?![A-Za-z0-9_]) )
  | (?P<tildes>  ~~+ )
    """,
    re.VERBOSE | re.IGNORECASE,
)
SPECIAL = re.compile(
    r"""
    (?P<symbol> - (?=[->]) | < (?=[-=]) | [>~] (?==) )
  | (?P<name>   : (?= [\w+-][^\s:]*: | material/ ) )
  | (?P<www>    www (?=\.) )
  | (?P<other>  [\\`*_\[\]<>$:~\#] | & (?=\#?\w+;) | ! (?=\[|$) )
    """,
    re.VERBOSE | re.IGNORECASE,
)
LINK = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\\?\.)|(?<=@)", re.IGNORECASE)
LINE_START = re.compile(r"\d+(?=[.)])|(?=[-+=>])")
BEFORE_TIMES, AFTER_TIMES = re.compile(r"[A-Za-z0-9)\]/]"), re.compile(r"[A-Za-z0-9(\[/.]")


def as_markdown(text: str) -> str:
    r"""The text as Markdown for `st.markdown`: formatted, but nothing in it loads, runs or becomes a formula.

    >>> as_markdown("**$5** for ![x](http://a.example/leak)")
    '**\\$5** for \\!\\[x\\](http\\::small[]//a.example/leak)'
    """
    return "\n".join(_safe_lines(deque(re.split(r"\r\n|\r|\n", text))))


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


def _safe_lines(lines: deque[str]) -> Iterator[str]:
    """The lines as the browser gets them: blocks of code written anew, all others escaped."""
    column = 0  # where the text of the last list item begins; 0 outside lists
    moved = 0  # how far a list's remaining lines go to the left, after a block of code has ended the list
    after_blank, in_table = True, False
    while lines:
        line = _blanks_for_tabs(lines.popleft())
        if not line:
            yield line
            after_blank, in_table = True, False
            continue
        if _indent(line) < moved:
            moved = 0
            yield ""
        line = line[moved:]
        starts_left = not _indent(line) and not PREFIX.match(line)
        if RULE.fullmatch(line) or (starts_left and (after_blank or HEADING.match(line))):
            column = 0
        if after_blank and not column and _indent(line) >= 4:
            lines.appendleft(" " * moved + line)
            yield from _fence(_indented_code(lines, moved + 4), "")
            continue

        # Whatever is indented further than its list asks for would be taken for code.
        if _indent(line) >= (column + 4 if column else 1):
            line = " " * column + line.lstrip(" ")
        prefix, body = _split(line)
        if fence := FENCE.match(body):
            if prefix.strip(" >"):
                yield from ("", prefix)
            quotes, inner = prefix.count(">"), len(prefix.rpartition(">")[2])
            moved += 0 if quotes else inner
            column, after_blank, in_table = 0, True, False
            yield from _fence(_fenced_code(lines, fence["mark"], quotes, moved or inner), fence["language"])
            continue
        column = len(prefix) if prefix.strip(" >") else column
        following = _split(_blanks_for_tabs(lines[0]))[1] if lines else ""
        in_table = in_table or bool(TABLE_RULE.fullmatch(following))
        after_blank = False
        yield prefix + _body(body, in_table) + ("  " if following and not in_table else "")


def _body(body: str, in_table: bool) -> str:
    """A line without its list marker: a heading, a rule, or text."""
    if RULE.fullmatch(body):
        return "***"  # never "---", which would make a heading of the line before
    if in_table and TABLE_RULE.fullmatch(body):
        return body
    if heading := HEADING.match(body):
        # The page has larger headings of its own: the text's begin at the fourth level.
        return "#" * min(6, len(heading[1]) + 3) + " " + _inline(body[heading.end() :], in_table)
    return _inline(body, in_table)


def _inline(text: str, in_table: bool) -> str:
    """A line's text: code, links and emphasis as they are, everything else escaped."""
    pieces: list[str] = []
    open_marks: set[str] = set()
    end = 0
    for found in MARKUP.finditer(text):
        pieces.append(_literal(text[end : found.start()], starts_line=end == 0))
        before, after, end = text[: found.start()][-1:], text[found.end() :][:1], found.end()
        match found.lastgroup:
            case "code":
                # A cell ends at a bare |, even inside code, and the rest of the code would be read as text.
                pieces.append(re.sub(r"(\\[\\|])|\|", lambda bar: bar[1] or r"\|", found[0]) if in_table else found[0])
            case "image":
                pieces.append(LINK.sub(PART, _literal(found[0])))
            case "link":
                pieces.append(f"[{_inline(found['label'], in_table)}]{found['address']}")
            case "escape" | "bare" | "lines":
                pieces.append(found[0])
            case "stars" | "tildes" if _is_emphasis(found[0], before, after, open_marks, text[end:]):
                open_marks ^= {found[0]}
                pieces.append(found[0])
            case _:
                pieces.append(_literal(found[0]))
    return "".join(pieces) + _literal(text[end:], starts_line=end == 0)


def _is_emphasis(marks: str, before: str, after: str, open_marks: set[str], rest: str) -> bool:
    """Whether these stars or tildes mean bold, italic or crossed out, rather than times, power or about."""
    if marks[0] == "~":
        return len(marks) == 2 and (marks in open_marks or marks in rest)
    if marks in open_marks:
        return not before.isspace()
    stands_alone = not before.strip() and not after.strip()
    return not stands_alone and not (BEFORE_TIMES.match(before) and AFTER_TIMES.match(after))


def _literal(text: str, starts_line: bool = False) -> str:
    """The text with every character escaped that could mean something where it stands."""
    escaped = SPECIAL.sub(_escape, text)
    return LINE_START.sub(r"\g<0>\\", escaped, count=1) if starts_line and LINE_START.match(escaped) else escaped


def _escape(found: re.Match[str]) -> str:
    match found.lastgroup:
        case "symbol" | "name":
            return "\\" + found[0] + PART
        case "www":
            return found[0] + "\\"
        case _:
            return "\\" + found[0]


def _blanks_for_tabs(line: str) -> str:
    """The line with blanks for the tabs before its text, and with nothing after its text."""
    text = line.lstrip(" \t")
    return (line[: len(line) - len(text)].expandtabs(4) + text).rstrip(" \t")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _split(line: str) -> tuple[str, str]:
    """The quote and list marks before a line's text, and the text."""
    prefix = ""
    for _ in range(DEEPEST):
        mark = None if RULE.fullmatch(line) else PREFIX.match(line)
        if not mark:
            break
        # More than four blanks would begin a block of code.
        text = re.sub(" {5,}$", " ", mark[0])
        prefix, line = prefix + (_at_most_three(text) if prefix else text), line[mark.end() :]
    indent = " " * _indent(line)
    return prefix + (_at_most_three(indent) if prefix else indent), line.lstrip(" ")


def _at_most_three(text: str) -> str:
    """The text with at most three blanks before it."""
    return text[max(0, _indent(text) - 3) :]


def _indented_code(lines: deque[str], indent: int) -> list[str]:
    """Takes the lines of code that are indented this far, without the indentation."""
    code: list[str] = []
    while lines and (not lines[0].strip(" \t") or _indent(_blanks_for_tabs(lines[0])) >= indent):
        code.append(_blanks_for_tabs(lines.popleft())[indent:])
    return code


def _fenced_code(lines: deque[str], mark: str, quotes: int, indent: int) -> list[str]:
    """Takes the lines of code up to the fence that ends it, or to the end of its quote or of the text."""
    code: list[str] = []
    while lines:
        line = lines[0]
        for _ in range(quotes):
            if not (quote := QUOTE.match(line)):
                return code
            line = line[quote.end() :]
        lines.popleft()
        blanks = _indent(line)
        if set(line.strip()) == {mark[0]} and len(line.strip()) >= len(mark) and blanks <= indent + 3:
            return code
        code.append(line[min(blanks, indent) :])
    return code


def _fence(code: list[str], language: str) -> Iterator[str]:
    """A block of code in a fence that nothing inside can end."""
    longest = max((len(ticks) for line in code for ticks in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    # Streamlit draws "mermaid" as a diagram, and a diagram may load pictures.
    yield fence + ("" if language.lower() == "mermaid" else language)
    yield from code
    yield fence
