"""The manual as a site: built without a warning, complete, and read from disk in a browser without a network."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from command import assert_one_line, heddle
from heddle import paths
from heddle.cli import COMMANDS
from playwright.sync_api import sync_playwright

DOCS = paths.ROOT / "docs"
LIMIT_MS = 60_000


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("with a space") / "manual"
    done = heddle("docs", "--out", folder, timeout_s=900)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture
def page(site):
    """A page of a browser without a network; what it complains about, or asks for from elsewhere, fails the test."""
    complaints = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_context(offline=True).new_page()
        page.on("console", lambda told: complaints.append(told.text) if told.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda asked: complaints.append(asked.url) if asked.url.startswith("http") else None)
        page.goto(f"file://{site}/index.html", timeout=LIMIT_MS)
        yield page
        browser.close()
    assert complaints == []


class Links(HTMLParser):
    """Where a page's links lead, and its places that others can lead to."""

    def __init__(self, text: str):
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.places.add(value)
            elif (tag, name) in (("a", "href"), ("img", "src"), ("script", "src"), ("link", "href")):
                self.links.append(value)


def test_every_link_leads_somewhere(site):
    pages = {path: Links(path.read_text()) for path in site.rglob("*.html") if path.name != "404.html"}
    assert len(pages) > 80
    dead = []
    for path, page in pages.items():
        for link in page.links:
            where, _, place = link.partition("#")
            if "://" in where or link.startswith(("mailto:", "data:", "javascript:")):
                continue
            target = (path.parent / where.partition("?")[0]).resolve() if where else path
            if not target.is_file() or (place and target in pages and place not in pages[target].places):
                dead.append(f"{path.relative_to(site)}: {link}")
    assert dead == []


def test_it_is_searched_from_disk(page):
    page.click("input.md-search__input")
    page.keyboard.type("graph_reset")
    page.wait_for_selector(".md-search-result__item", timeout=LIMIT_MS)
    assert "Taskgraphs" in page.inner_text(".md-search-result__list")
    page.click(".md-search-result__link")
    page.wait_for_selector("h1", timeout=LIMIT_MS)
    assert page.url.startswith("file://")


def test_the_reference_has_every_function_of_the_headers(site):
    for header in (paths.HEADERS / "heddle.h", paths.ROOT / "mpi" / "include" / "heddle_mpi.h"):
        text = (site / "reference" / f"{header.name}.html").read_text()
        declared = set(re.findall(r"_API\b[^;(]*?\b(\w+)\(", header.read_text()))
        public = {name for name in declared if not name.endswith("_")}
        assert len(public) >= 3
        assert [name for name in sorted(public) if name not in text] == []


def test_the_reference_has_every_command_and_option(site):
    text = (site / "reference" / "commands.html").read_text()
    for name in COMMANDS:
        assert f'id="heddle-{name}"' in text, name
    assert "--keep-going" in text and str(paths.ROOT) not in text
    assert "--checkpoint_freq" in (site / "reference" / "heddle-amr.html").read_text()
    assert "--strategy" in (site / "reference" / "heddle-wave.html").read_text()


def test_every_picture_says_how_it_was_made():
    silent = []
    for path in sorted(DOCS.rglob("*.md")):
        for picture in re.finditer(r"!\[[^\]]*\]\(([^)]+)\)\n+(.*)", path.read_text()):
            if not re.match(r"Made by `.+`", picture[2]):
                silent.append(f"{path.relative_to(DOCS)}: {picture[1]}")
    assert silent == []


def test_a_manual_is_replaced(site):
    assert heddle("docs", "--out", site).returncode == 0


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("years")
    (tmp_path / "sitemap.xml").write_text("another site's")
    assert_one_line(heddle("docs", "--out", tmp_path / "thesis.tex"), "is a file; give another --out")
    assert_one_line(heddle("docs", "--out", tmp_path), "holds something else than a manual; give another --out")
    assert (tmp_path / "thesis.tex").read_text() == "years"
