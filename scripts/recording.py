"""Draws screens of a terminal as one SVG that plays them in a loop: recording.py SCREEN...

A screen is what `tmux capture-pane -e -p` prints. Its file is called NUMBER-MILLISECONDS. A line that several screens
have at the same place is drawn once. A reader who wants no motion sees the last screen.
"""

import re
import sys
import unicodedata
from pathlib import Path
from xml.sax.saxutils import escape

WIDTH, HEIGHT, MARGIN = 8.4, 18, 12
PAGE, INK = "#1e2228", "#d7dae0"
BASIC = ["#1e2228", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d7dae0"]
BRIGHT = ["#9aa0aa", "#ff8790", "#b5e890", "#ffd787", "#87c7ff", "#e29bf5", "#7fd9e3", "#ffffff"]
FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace"


def indexed(n):
    """The colour of an entry of the palette of 256."""
    if n < 16:
        return (BASIC + BRIGHT)[n]
    if n > 231:
        return "#%02x%02x%02x" % ((8 + 10 * (n - 232),) * 3)
    levels = [0, 95, 135, 175, 215, 255]
    n -= 16
    return "#%02x%02x%02x" % (levels[n // 36], levels[n // 6 % 6], levels[n % 6])


def styled(style, numbers):
    """The style after one escape sequence."""
    style, numbers = dict(style), list(numbers)
    while numbers:
        n = numbers.pop(0)
        if n == 0:
            style = {}
        elif n in (1, 2, 4, 7):
            style[n] = True
        elif n == 22:
            style.pop(1, None), style.pop(2, None)
        elif n in (24, 27):
            style.pop(n - 20, None)
        elif n in (38, 48):
            kind = numbers.pop(0)
            rgb = [numbers.pop(0) for _ in range(1 if kind == 5 else 3)]
            style[n] = indexed(rgb[0]) if kind == 5 else "#%02x%02x%02x" % tuple(rgb)
        elif n in (39, 49):
            style.pop(n - 1, None)
        elif n // 10 in (3, 4):
            style[n // 10 * 10 + 8] = BASIC[n % 10]
        elif n // 10 in (9, 10):
            style[n // 10 * 10 - 52] = BRIGHT[n % 10]
    return style


def columns(text):
    wide = (unicodedata.east_asian_width(c) in "WF" for c in text if not unicodedata.combining(c))
    return sum(2 if w else 1 for w in wide)


def run(column, text, style):
    """A piece of a line in one style."""
    ink, page = style.get(38, INK), style.get(48)
    if style.get(7):
        ink, page = page or PAGE, ink
    out = ""
    if page:
        out += '<rect x="%.1f" width="%.1f" height="%d" fill="%s"/>' % (
            MARGIN + column * WIDTH, columns(text) * WIDTH, HEIGHT, page)
    shown = text.strip(" ")
    if shown:
        x, length = MARGIN + (column + len(text) - len(text.lstrip(" "))) * WIDTH, columns(shown) * WIDTH
        more = ' font-weight="bold"' if style.get(1) else ""
        more += ' fill-opacity=".7"' if style.get(2) else ""
        more += ' text-decoration="underline"' if style.get(4) else ""
        more += "" if ink == INK else ' fill="%s"' % ink
        out += '<text x="%.1f" y="13.5" textLength="%.1f"%s>%s</text>' % (x, length, more, escape(shown))
    return out


def lines(screen):
    """The lines of a screen as SVG, without their places."""
    style = {}
    for line in screen.split("\n"):
        out, column = "", 0
        for text, numbers in re.findall(r"([^\x1b]*)(?:\x1b\[([\d;]*)m)?", line):
            shown = text.rstrip() if not numbers and not style.get(48) else text
            if shown:
                out += run(column, shown, style)
            column += columns(text)
            if numbers:
                style = styled(style, [int(n or 0) for n in numbers.split(";")])
        yield out


def main(files):
    texts = [(int(f.name.split("-")[1]), f.read_text().replace("\x1b[m", "\x1b[0m")) for f in map(Path, files)]
    screens = [(ms, list(lines(text))) for ms, text in texts]
    total = sum(ms for ms, _ in screens)
    rows = max(row + 1 for _, drawn in screens for row, line in enumerate(drawn) if line)
    known, styles, frames, at = {}, [], [], 0
    for i, (ms, drawn) in enumerate(screens):
        uses = ""
        for row, line in enumerate(drawn):
            if line:
                name = known.setdefault(line, "l%d" % len(known))
                uses += '<use href="#%s" y="%d"/>' % (name, MARGIN + row * HEIGHT)
        begin, end = 100 * at / total, 100 * (at + ms) / total
        gone = "%.2f%%{opacity:0}" % end if end < 100 else ""
        styles.append("@keyframes k%d{0%%{opacity:%d}%.2f%%{opacity:1}%s}" % (i, begin == 0, begin, gone))
        styles.append("#f%d{animation:k%d %.1fs step-end infinite}" % (i, i, total / 1000))
        frames.append('<g id="f%d" class="f">%s</g>' % (i, uses))
        at += ms
    plain = re.sub(r"\x1b\[[\d;]*m", "", "\n".join(text for _, text in texts))
    width = 2 * MARGIN + max(map(columns, plain.split("\n"))) * WIDTH
    still = "@media(prefers-reduced-motion){.f{animation:none!important}#f%d{opacity:1}}" % (len(screens) - 1)
    print('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="%s" font-size="14" '
          'fill="%s">' % (width, 2 * MARGIN + rows * HEIGHT, FONT, INK))
    print("<title>Elicit in a terminal: a form is filled, a policy declines a form that wants a password, and the "
          "journal tells both</title>")
    print("<style>text{white-space:pre}.f{opacity:0}%s%s</style>" % ("".join(styles), still))
    print('<rect width="100%%" height="100%%" rx="8" fill="%s"/>' % PAGE)
    print("<defs>%s</defs>" % "\n".join('<g id="%s">%s</g>' % (n, line) for line, n in known.items()))
    print("\n".join(frames))
    print("</svg>")


if __name__ == "__main__":
    main(sys.argv[1:])
