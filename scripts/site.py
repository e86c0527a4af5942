"""Lays out the pages for mkdocs: copies them, points links to other files at the repository, and adds the codes."""

import pathlib
import re
import shutil
import sys

SOURCE = "https://github.com/elicit-engine/elicit/blob/main/"
ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGES = [
    ("Use", ["install", "proxy", "hooks", "agents", "policy"]),
    ("Build", ["asking", "embedding", "guardians"]),
    ("Administrate", ["administrator", "security"]),
    ("Understand", ["architecture", "rationale", "evidence", "rough-edges"]),
    ("Look up", ["reference/" + name for name in (
        "command", "policy", "flagged", "configuration", "abi", "relay", "asking", "protocols", "threats",
        "performance")]),
]


def relink(text: str, at: pathlib.Path) -> str:
    def fix(found: "re.Match[str]") -> str:
        to, anchor = found.group(1), found.group(2) or ""
        if ":" in to or to == "…":
            return found.group(0)
        target = (at.parent / to).resolve().relative_to(ROOT)
        if target.parts[0] == "docs" and target.suffix != ".json":
            return found.group(0)
        return f"]({SOURCE}{target}{anchor})"

    return re.sub(r"\]\(([^)#\s]+)(#[^)]*)?\)", fix, text)


def front() -> str:
    text = relink((ROOT / "README.md").read_text(), ROOT / "README.md")
    return text.replace("](docs/", "](")


def codes(listed: str) -> str:
    rows = re.findall(r"^(\S+) \((\w+)\): (.*)\n  what to do: (.*)$", listed, re.M)
    cell = lambda text: re.sub(r"([|*_<\[])", r"\\\1", text)
    table = "".join(f"| `{code}` | {kind} | {cell(means)} | {cell(do)} |\n" for code, kind, means, do in rows)
    if len(rows) < 350:
        sys.exit(f"elicit explain lists {len(rows)} codes")
    return f"# Codes\n\n| code | kind | meaning | what to do |\n|---|---|---|---|\n{table}"


# The theme leaves these out: links that are seen without colour, contrast of small text, and names of its landmarks.
STYLE = """
.md-typeset a { text-decoration: underline; }
.md-typeset .headerlink, .md-typeset .md-button { text-decoration: none; }
:root, [data-md-color-scheme] { --md-footer-fg-color--lighter: #ccc; --md-footer-fg-color--light: #ddd;
  --md-code-hl-comment-color: inherit; --md-code-hl-generic-color: inherit; --md-code-hl-operator-color: inherit;
  --md-code-hl-punctuation-color: inherit; --md-code-hl-variable-color: inherit; }
"""
SCRIPT = """
const name = () => {
  document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
  document.querySelectorAll("nav.md-code__nav:not([role])").forEach((nav) => nav.setAttribute("role", "presentation"));
  document.querySelectorAll(".md-typeset__scrollwrap").forEach((table) => table.setAttribute("tabindex", "0"));
};
name();
new MutationObserver(name).observe(document.body, { childList: true, subtree: true });
"""


def main(work: pathlib.Path) -> None:
    docs = work / "docs"
    shutil.copytree(ROOT / "docs", docs, dirs_exist_ok=True)
    for page in docs.rglob("*.md"):
        original = ROOT / "docs" / page.relative_to(docs)
        page.write_text(relink(original.read_text(), original))
    (docs / "site.css").write_text(STYLE)
    (docs / "site.js").write_text(SCRIPT)
    (docs / "index.md").write_text(front())
    (docs / "reference" / "codes.md").write_text(codes((work / "codes.txt").read_text()))
    nav = "  - Elicit: index.md\n"
    for title, pages in PAGES:
        nav += f"  - {title}:\n" + "".join(f"    - {page}.md\n" for page in pages)
    nav += "    - reference/codes.md\n  - Playground: playground/index.html\n"
    (work / "mkdocs.yml").write_text(f"""site_name: Elicit
docs_dir: docs
use_directory_urls: false
theme:
  name: material
  font: false
  features: [content.code.copy, navigation.sections, search.highlight]
  palette:
    - {{media: "(prefers-color-scheme: light)", scheme: default,
       toggle: {{icon: material/weather-night, name: Dark}}}}
    - {{media: "(prefers-color-scheme: dark)", scheme: slate,
       toggle: {{icon: material/weather-sunny, name: Light}}}}
plugins: [search]
extra_css: [site.css]
extra_javascript: [site.js]
markdown_extensions: [tables, admonition, pymdownx.superfences, pymdownx.highlight,
  {{toc: {{slugify: !!python/object/apply:pymdownx.slugs.slugify {{kwds: {{case: lower}}}}}}}}]
validation:
  anchors: warn
nav:
{nav}""")


main(pathlib.Path(sys.argv[1]))
