"""The page in a browser: it draws what the trace says, and zoom, hover, search and arrows work."""

import functools
import re
from collections import Counter

import numpy as np
import pytest
from heddle.trace import build, events, numbers
from heddle.trace.page import data
from heddle.trace.timeline import Timeline
from PIL import Image
from playwright.sync_api import Page, sync_playwright
from traced import built, trace

CHROMIUM = "/usr/bin/chromium"
LIMIT_MS = 60_000
SHOWN = "Bokeh.documents[0].get_model_by_name('shown').data"
RANGE = "Bokeh.documents[0].get_model_by_name('timeline').x_range"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    done = trace(folder, "--threads", "3", "--page", "--", built(folder))
    assert done.returncode == 0, done.stderr
    return folder / "program.trace"


@pytest.fixture(scope="module")
def timeline(folder) -> Timeline:
    return build.build(events.read_folder(folder / "events"))


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        # As root a browser refuses its own sandbox.
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"], timeout=LIMIT_MS)


@pytest.fixture
def page(browser, folder):
    """The page, drawn; without a net, and without a complaint at the end."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000}, offline=True)
    page = context.new_page()
    complaints = []
    page.on(
        "console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: complaints.append(request.url) if request.url.startswith("http") else None)
    page.goto(f"file://{folder / 'program.html'}", timeout=LIMIT_MS)
    page.wait_for_selector("body[data-state=drawn]", timeout=LIMIT_MS)
    yield page
    context.close()
    assert complaints == []


def settled(page: Page) -> None:
    """Waits until what was asked for is drawn."""
    page.evaluate(
        "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))"
    )


def zoom_to(page: Page, begin: float, end: float) -> None:
    page.evaluate(f"{RANGE}.setv({{start: {begin}, end: {end}}})")
    settled(page)


def bars(page: Page) -> list[tuple]:
    """(left, right, lane, what) of what is drawn."""
    shown = page.evaluate(f"(() => {{ const d = {SHOWN}; return [d.left, d.right, d.bottom, d.what]; }})()")
    return [(left, right, int(bottom), what) for left, right, bottom, what in zip(*shown)]


def test_close_up_every_stretch_is_drawn_where_it_was(page, timeline):
    look = data.looks(timeline)
    parts = data.stretches(timeline, look)
    begin, end = busy_moment(timeline, 100_000)
    zoom_to(page, begin, end)
    expected = Counter()
    for lane in range(len(timeline.lanes)):
        for i in range(parts.first[lane], parts.first[lane + 1]):
            if parts.end[i] > begin and parts.begin[i] < end and parts.look[i] != data.NOTHING:
                expected[int(parts.begin[i]), int(parts.end[i]), lane, look.names[parts.look[i]]] += 1
    assert len(expected) > 3
    assert Counter(bars(page)) == expected


def test_the_wheel_zooms_about_the_pointer(page, timeline):
    box = page.locator("canvas").first.bounding_box()
    before = page.evaluate(f"[{RANGE}.start, {RANGE}.end]")
    page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + 40)
    for _ in range(5):
        page.mouse.wheel(0, -240)
        settled(page)
    after = page.evaluate(f"[{RANGE}.start, {RANGE}.end]")
    assert before == [0, timeline.duration]
    assert after[1] - after[0] < 0.6 * (before[1] - before[0])
    assert after[0] > 0 and after[1] < timeline.duration


def busy_moment(timeline: Timeline, length: float) -> tuple[float, float]:
    """Begin and end of so many ns in which tasks were executed."""
    first = timeline.task_first[timeline.task_is_explicit]
    begin = float(np.median(first)) - length / 2
    return begin, begin + length


def lane_of(timeline: Timeline, lane: int) -> list[tuple[int, int]]:
    """Begins and ends of the tasks' pieces on a lane."""
    mine = timeline.pieces.lane == lane
    return list(zip(timeline.pieces.begin[mine].tolist(), timeline.pieces.end[mine].tolist()))


def middle_of(page: Page, left: float, right: float, lane: int, lanes: int) -> tuple[float, float]:
    """Where on the screen the middle of a bar is."""
    frame = page.evaluate(
        "(() => { const view = Bokeh.index.find_one_by_id(Bokeh.documents[0].get_model_by_name('timeline').id);"
        " const box = view.frame.bbox, at = view.canvas_view.el.getBoundingClientRect();"
        " return [at.left + box.left, at.top + box.top, box.width, box.height]; })()"
    )
    start, end = page.evaluate(f"[{RANGE}.start, {RANGE}.end]")
    x = frame[0] + frame[2] * ((max(left, start) + min(right, end)) / 2 - start) / (end - start)
    return x, frame[1] + frame[3] * (lane + 0.6) / lanes


def test_pointing_at_a_task_says_what_it_is_and_what_it_depends_on(page, timeline):
    sink = int(timeline.edge_sink[len(timeline.edge_sink) // 2])
    own = timeline.pieces
    at = int(np.flatnonzero(own.of == sink)[0])
    left, right, lane = float(own.begin[at]), float(own.end[at]), int(own.lane[at])
    zoom_to(page, left - 20_000, right + 20_000)
    page.mouse.move(*middle_of(page, left, min(right, left + 15_000), lane, len(timeline.lanes)))
    tip = page.get_by_text(f"task {sink} of {timeline.kinds[timeline.task_kind[sink]]}")
    tip.wait_for(timeout=LIMIT_MS)
    assert "depends on" in tip.inner_text()


def test_a_search_counts_and_next_goes_to_what_was_found(page, timeline):
    box = page.get_by_placeholder(re.compile("search"))
    box.fill("a cell, which is nowhere")
    settled(page)
    assert page.evaluate("Bokeh.documents[0].get_model_by_name('found').text") == "0 tasks, 0 names"
    kind = next(name for name in timeline.kinds if name.startswith("program.c:"))
    box.fill(kind)
    settled(page)
    tasks = int((timeline.task_kind == timeline.kinds.index(kind)).sum())
    assert page.evaluate("Bokeh.documents[0].get_model_by_name('found').text") == f"{tasks} tasks, 1 name"
    page.get_by_role("button", name="next").click()
    settled(page)
    start, end = page.evaluate(f"[{RANGE}.start, {RANGE}.end]")
    assert end - start < timeline.duration / 2
    assert any(what == kind for *_, what in bars(page))


def test_arrows_are_dependences(page, timeline):
    page.get_by_label("dependences").check()
    settled(page)
    drawn = page.evaluate("Bokeh.documents[0].get_model_by_name('arrows').data.x0.length")
    assert drawn == len(timeline.edge_source) > 0


def test_the_picture_has_the_colours_of_what_is_there(page, timeline, folder, tmp_path):
    """Far away and close up: of the pixels of a lane as many are those of a task as the trace says it took."""
    begin, end = busy_moment(timeline, 200_000)
    lane = int(
        np.argmax([sum(b < end and e > begin for b, e in lane_of(timeline, n)) for n in range(len(timeline.lanes))])
    )
    zoom_to(page, begin, end)
    (left, top) = middle_of(page, begin, begin, lane, len(timeline.lanes))
    (right, _) = middle_of(page, end, end, lane, len(timeline.lanes))
    page.screenshot(path=str(tmp_path / "page.png"))
    row = np.asarray(Image.open(tmp_path / "page.png").convert("RGB"))[round(top) + 3, round(left) : round(right)]
    names = page.evaluate("[...new Set(Bokeh.documents[0].get_model_by_name('shown').data.what)]")
    colours = page.evaluate(
        f"(() => {{ const d = {SHOWN}; return Object.fromEntries(d.what.map((w, i) => [w, d.colour[i]])); }})()"
    )
    assert names
    drawn = bars(page)
    for name in names:
        time = sum(min(r, end) - max(f, begin) for f, r, where, what in drawn if where == lane and what == name)
        wanted = [int(colours[name][i : i + 2], 16) for i in (1, 3, 5)]
        share = np.mean(np.all(np.abs(row.astype(int) - wanted) < 12, axis=1))
        assert share == pytest.approx(time / (end - begin), abs=0.04), name


def test_tables_say_what_the_numbers_say(page, timeline):
    rows = page.locator("#shares tr").all_inner_texts()[1:]
    assert [row.split("\t")[0].strip() for row in rows] == [share.name for share in numbers.shares(timeline)]
    assert page.locator("#kinds tr").count() == 1 + len(numbers.kinds(timeline))
    rows = page.locator("#overlap tr").all_inner_texts()[1:]
    assert [row.split("\t")[0].strip() for row in rows] == [row.name for row in numbers.overlap(timeline, 12)]
    assert any("a cell" in row for row in rows)


@functools.cache
def long_timeline(tasks: int) -> Timeline:
    """A made trace: two lanes that execute so many tasks of three kinds, one after the other."""
    from heddle.trace.events import RECORD, ThreadEvents
    from heddle.trace.layout import KINDS
    from made_events import process

    threads = []
    for lane in range(2):
        records = np.zeros(1 + 3 * tasks // 2, RECORD)
        count = tasks // 2
        own = (lane + 1) << 40
        numbers_of = own + 2 + np.arange(count, dtype="u8")
        records[0] = (0, KINDS["implicit_begin"], 0, lane, own + 1, 1)
        at = np.arange(count) * 1000 + 10
        records["ticks"][1::3], records["ticks"][2::3], records["ticks"][3::3] = at, at + 100, at + 700
        records["kind"][1::3] = KINDS["task_create"]
        records["extra"][1::3] = 4
        records["a"][1::3], records["b"][1::3] = numbers_of, 1 + np.arange(count) % 3
        records["kind"][2::3] = records["kind"][3::3] = KINDS["task_schedule"]
        records["detail"][2::3], records["a"][2::3], records["b"][2::3] = 7, own + 1, numbers_of
        records["detail"][3::3], records["a"][3::3], records["b"][3::3] = 1, numbers_of, own + 1
        threads.append(ThreadEvents(lane + 1, records, records["ticks"].astype("i8")))
    return build.build([process(*threads)])


def test_a_million_tasks_stay_fluid(browser, tmp_path):
    """Counts, not times: at every zoom no more bars than the screen has room for, and each look has its picture."""
    from heddle.trace import page as pages

    timeline = long_timeline(1_000_000)
    file = pages.write(timeline, tmp_path / "long.html", "long")
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    page.goto(f"file://{file}", timeout=LIMIT_MS)
    page.wait_for_selector("body[data-state=drawn]", timeout=LIMIT_MS)
    for width in (timeline.duration, 10_000_000, 1_000_000, 100_000, 10_000):
        zoom_to(page, timeline.duration * 0.3, min(timeline.duration * 0.3 + width, timeline.duration))
        drawn = bars(page)
        assert 0 < len(drawn) <= 26_000
        assert {lane for _, _, lane, _ in drawn} == {0, 1}
    assert len(drawn) == pytest.approx(2 * 2 * 10, abs=6)  # tasks and what is between them, of two lanes
    page.close()
