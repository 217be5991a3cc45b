#!/usr/bin/env python3
"""The manual as a site of plain files:  site.py PROGRAMS FOLDER

PROGRAMS: where pepa and its like are; the commands of the gallery that draw are run there.  With - these pictures
are left out, which is enough to look for links that lead nowhere.
FOLDER is made anew.  Pages are README.md, doc/*.md (pandoc) and the manual pages (mandoc), with their
pictures; index.js has what the search looks into.  It needs no server: open FOLDER/index.html.
"""
import functools
import html
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# What there is, in the order of the list at the side; anything else in doc/ follows under the last heading.
CHAPTERS = [
    ("Begin", ["README.md", "doc/tutorial.md", "doc/gallery.md", "CHANGELOG.md"]),
    ("Commands", ["pepa.1", "amoget.1", "taag.1", "bsprun.1", "bspcc.1", "bspbench.1", "bsppredict.1", "gum.1",
                  "gumrun.1", "gumcc.1"]),
    ("Languages", ["pepa.5", "pepa-measures.5", "pepa-probes.5", "doc/json.md"]),
    ("Libraries", ["libpepa.3", "libamoget.3", "libtaag.3", "libbsp.3", "libgum.3"]),
    ("Grids", ["doc/grid.md", "doc/predictions.md", "doc/taag.md", "doc/taag-library.md", "doc/bsp.md",
               "doc/bsp-predictions.md", "doc/gum.md", "doc/gum-model.md"]),
    ("How it works", ["doc/numerics.md", "doc/performance.md", "doc/scaling.md", "doc/design.md",
                      "doc/releasing.md"]),
]


def run(arguments, text=None):
    done = subprocess.run(arguments, input=text, capture_output=True, text=True, cwd=ROOT)
    if done.returncode != 0:
        sys.exit(f"site: {' '.join(map(str, arguments))}: {done.stderr.strip()}")
    return done.stdout


class Text(html.parser.HTMLParser):
    """Headings of a page, each with its anchor and the words below it; and what the page leads to."""

    def __init__(self):
        super().__init__()
        self.sections, self.links, self.anchors, self.heading = [["", "", ""]], [], set(), False

    def handle_starttag(self, tag, attributes):
        has = dict(attributes)
        if has.get("id"):
            self.anchors.add(has["id"])
        if re.fullmatch("h[1-6]", tag):
            self.sections.append([has.get("id", ""), "", ""])
            self.heading = True
        self.links += [has[key] for key in ("href", "src") if has.get(key)]

    def handle_endtag(self, tag):
        if re.fullmatch("h[1-6]", tag):
            self.heading = False

    def handle_data(self, data):
        self.sections[-1][1 if self.heading else 2] += data


def name_of(source):
    """README.md is index.html, doc/taag.md taag.html, pepa.1 pepa.1.html."""
    return "index.html" if source == "README.md" else re.sub(r"\.md$", "", Path(source).name) + ".html"


def sources():
    listed = [(chapter, list(pages)) for chapter, pages in CHAPTERS]
    known = {page for _, pages in listed for page in pages}
    listed[-1][1].extend(
        sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("doc/*.md") if f"doc/{path.name}" not in known))
    listed[1][1].extend(sorted(path.name for path in ROOT.glob("doc/*.1") if path.name not in known))
    return listed


def draw(text, programs, folder):
    """Runs the commands of a document that write a picture; puts each below its block."""
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}

    def with_pictures(block):
        pictures = []
        for command in re.findall(r"^\$ (.*)$", block.group(0), re.M):
            found = re.search(r"(?:--plot |> )([\w-]+\.svg)", command)
            if not found:
                continue
            with tempfile.TemporaryDirectory() as work:
                (Path(work) / "models").symlink_to(ROOT / "models")
                done = subprocess.run(command, shell=True, cwd=work, env=environment, capture_output=True, text=True)
                if done.returncode != 0 or not (Path(work) / found[1]).exists():
                    sys.exit(f"site: {command}: {done.stderr.strip()}")
                shutil.copy(Path(work) / found[1], folder)
            pictures.append(f"\n\n![{found[1]}]({found[1]})\n")
        return block.group(0) + "".join(pictures)

    return re.sub(r"^```console.*?^```$", with_pictures, text, flags=re.M | re.S)


@functools.cache
def plain():
    """The option of this pandoc for code without colours."""
    return "--syntax-highlighting=none" if "--syntax-highlighting" in run(["pandoc", "--help"]) else "--no-highlight"


def body_of(source, programs, folder):
    if not source.endswith(".md"):
        return run(["mandoc", "-T", "html", "-O", "fragment,man=%N.%S.html", f"doc/{source}"])
    text = (ROOT / source).read_text()
    if source == "doc/gallery.md" and programs:
        text = draw(text, programs, folder)
    # What stands behind the language of a block is for the tests.
    text = re.sub(r"^```(\w+) .*$", r"```\1", text, flags=re.M)
    return run(["pandoc", "-f", "gfm", "-t", "html5", plain()], text)


def repair(body, source, pages, folder):
    """Links to sources become links to pages; pictures are copied; other files of the tree are names."""
    beside = (ROOT / source).parent if source.endswith(".md") else ROOT / "doc"

    def at(match):
        attribute, target = match[1], html.unescape(match[2])
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target) or not path:
            return match[0]
        file = Path(os.path.normpath(beside / path))
        inside = str(file.relative_to(ROOT)) if file.is_relative_to(ROOT) else path
        if inside in pages:
            return f'{attribute}="{name_of(inside)}{"#" + anchor if anchor else ""}"'
        if inside.startswith("doc/") and Path(inside).name in pages:
            return f'{attribute}="{name_of(Path(inside).name)}"'
        if file.suffix in (".svg", ".png") and file.exists():
            shutil.copy(file, folder)
            return f'{attribute}="{file.name}"'
        if (folder / path).exists() or path in {name_of(page) for page in pages}:
            return match[0]
        return f'data-file="{html.escape(inside)}"'

    return re.sub(r'\b(href|src)="([^"]*)"', at, body)


def title_of(source, text):
    if not source.endswith(".md"):
        return re.sub(r"(.*)\.(\d)$", r"\1(\2)", source)
    return next((heading.strip() for _, heading, _ in text.sections if heading.strip()), source)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: site.py PROGRAMS FOLDER")
    programs, folder = None if sys.argv[1] == "-" else Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    chapters = [(chapter, [page for page in pages if (ROOT / ("" if page.endswith(".md") else "doc") / page).exists()])
                for chapter, pages in sources()]
    pages = [page for _, listed in chapters for page in listed]
    bodies, texts = {}, {}
    for page in pages:
        bodies[page] = repair(body_of(page, programs, folder), page, pages, folder)
        texts[page] = Text()
        texts[page].feed(bodies[page])
    titles = {page: title_of(page, texts[page]) for page in pages}
    titles["README.md"] = "What it is"
    template = (HERE / "page.html").read_text()
    for page in pages:
        side = "".join(
            f"<h2>{html.escape(chapter)}</h2><ul>" + "".join(
                f'<li><a href="{name_of(each)}"{" aria-current=page" if each == page else ""}>'
                f"{html.escape(titles[each])}</a></li>" for each in listed) + "</ul>"
            for chapter, listed in chapters)
        (folder / name_of(page)).write_text(
            template.replace("@TITLE@", html.escape(titles[page])).replace("@SIDE@", side).replace("@BODY@", bodies[page]))
    index = [[name_of(page) + ("#" + anchor if anchor else ""), titles[page], heading.strip(), " ".join(words.split())]
             for page in pages for anchor, heading, words in texts[page].sections if heading.strip() or words.strip()]
    (folder / "index.js").write_text("const INDEX = " + json.dumps(index, ensure_ascii=False) + ";\n")
    for file in ("site.css", "search.js"):
        shutil.copy(HERE / file, folder)
    check(folder, {name_of(page): text for page, text in texts.items()})
    print(f"site: {len(pages)} pages in {folder}; open {folder}/index.html")


def check(folder, texts):
    """No link leads nowhere."""
    dead = []
    for page, text in texts.items():
        for target in text.links:
            path, _, anchor = target.partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            if path and not (folder / path).exists():
                dead.append(f"{page}: {target}")
            elif anchor and anchor not in texts.get(path or page, text).anchors:
                dead.append(f"{page}: {target}")
    if dead:
        sys.exit("site: links that lead nowhere:\n" + "\n".join(dead))


main()
