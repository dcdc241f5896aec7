"""The demo's measuring, drawing and writing, with a stand-in for heddle-amr."""

import html.parser
import re
from pathlib import Path

import pytest
from heddle import runtimes
from heddle.demo import amr_run, inputs, measure, mesh, page, parts, rounds, show
from heddle.errors import CheckFailed

FAKE = Path(__file__).with_name("fake_amr.py")


def runtime(name: str) -> runtimes.Runtime:
    return runtimes.Runtime(name, {"gnu": "libgomp", "llvm": "libomp 19"}[name], Path("/nowhere"), Path("/nowhere"))


RUNTIMES = [runtime("gnu"), runtime("llvm")]


def measured(rounds: int) -> measure.Measurement:
    return measure.measure(
        FAKE, RUNTIMES, inputs.QUICK, 2, rounds=rounds, budget_s=1, advance=lambda text, done, total: None
    )


def test_every_variant_runs_on_every_runtime_in_every_round():
    measurement = measured(2)
    assert [(timing.way, timing.runtime.name) for timing in measurement.timings] == [
        (way, name) for way in (*amr_run.VARIANTS, "serial, 2 ranks", "loop, 2 ranks") for name in ("gnu", "llvm")
    ]
    assert all(len(timing.seconds) == 2 for timing in measurement.timings)


def test_the_baseline_has_ratio_one_and_the_others_are_divided_by_it():
    timings = {(timing.way, timing.runtime.name): timing for timing in measured(1).timings}
    assert timings["loop", "gnu"].ratio == 1
    assert timings["orig-dyn", "llvm"].ratio == pytest.approx(0.18 / 0.14)


def test_an_answer_that_differs_in_one_bit_ends_the_demo(monkeypatch):
    monkeypatch.setenv("FAKE_AMR_WRONG", "task-1")
    with pytest.raises(
        CheckFailed, match=r"^task-1 on libgomp with 2 threads and serial on libgomp .* disagree: sum at timestep 1"
    ):
        measured(1)


def test_a_run_that_fails_ends_the_demo_with_its_last_words(monkeypatch):
    monkeypatch.setenv("FAKE_AMR_CRASH", "loop-dyn")
    with pytest.raises(CheckFailed, match="loop-dyn on libgomp with 2 threads ended with status 1: .*the cube is full"):
        measured(1)


class Reader(html.parser.HTMLParser):
    """Collects what a page would fetch, and checks that its elements close."""

    def __init__(self):
        super().__init__()
        self.fetched = []
        self.open = []

    def handle_starttag(self, tag, attributes):
        self.fetched += [value for name, value in attributes if name in ("src", "href", "xlink:href")]
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag


def test_the_page_stands_alone_and_holds_every_timing(tmp_path):
    from heddle.demo import pictures

    measurement = measured(3)
    moments = show._meshes(FAKE, RUNTIMES[0], inputs.QUICK, 2, measurement.results)
    owners = [show._owners(FAKE, RUNTIMES[0], inputs.QUICK, balances=balances) for balances in (False, True)]
    drawn = page.Pictures(
        pictures.cube(*moments[2][1:]),
        pictures.four_cuts(moments),
        pictures.owners(*owners, 12),
        pictures.bars(measurement.timings, 3),
    )
    conditions = parts.Conditions(
        "2026-11-23",
        {"processors": 2, "model": "Loom", "kernel": "6.1"},
        "heddle 0.1.0",
        {"libgomp": "libgomp.so.1"},
        {},
    )
    page.write(
        tmp_path / "index.html", measurement, drawn, inputs.QUICK.arguments, conditions, demo_command="./heddle demo"
    )
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    assert all(source.startswith(("data:image/png;base64,", "#")) for source in reader.fetched)
    assert "http" not in re.sub(
        r'(xmlns(:\w+)?|rdf:resource)="[^"]*"|<metadata>.*?</metadata>|<!DOCTYPE.*?>', "", text, flags=re.DOTALL
    )
    assert text.count("<tr class=") == len(measurement.timings)
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]


def test_the_moments_carry_the_sphere_of_their_mesh():
    measurement = measured(1)
    moments = show._meshes(FAKE, RUNTIMES[0], inputs.QUICK, 2, measurement.results)
    assert [timestep for timestep, _, _ in moments] == list(inputs.QUICK.moments)
    assert moments[0][2][0]["center"][0] == pytest.approx(-0.5)


def test_a_cut_covers_the_plane_once():
    measurement = measured(1)
    for _, one, _ in show._meshes(FAKE, RUNTIMES[0], inputs.QUICK, 2, measurement.results):
        for axis in range(3):
            for position in (0.0, 1 / 64, 0.5, 0.99):
                plane = mesh.cut(one, axis, position)
                assert (plane.width * plane.height).sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("timesteps", "name"), [(1, "plot.3"), (2, "plot.03"), (10, "plot.03"), (11, "plot.003"), (20, "plot.003")]
)
def test_plot_files_are_named_as_the_program_names_them(timesteps, name):
    assert mesh.file_name(3, timesteps) == name


@pytest.mark.parametrize("text", ["", "1 2 3\n", "2 1 1 1 1\n1\n0 2 2 2\n"])
def test_a_broken_plot_file_is_refused(tmp_path, text):
    (tmp_path / "plot.0").write_text(text)
    with pytest.raises(ValueError, match="plot.0"):
        mesh.read(tmp_path / "plot.0")


def test_a_plot_file_says_who_owns_what(tmp_path):
    (tmp_path / "plot.0").write_text("3 1 2 1 1\n2\n0 2 2 2\n0 6 2 2\n0\n1\n0 2 6 2\n")
    assert list(mesh.read(tmp_path / "plot.0").owner) == [0, 0, 2]


def timing_of(*seconds: float) -> measure.Timing:
    timing = measure.Timing("loop", RUNTIMES[0])
    timing.seconds = list(seconds)
    return timing


def test_what_the_spread_does_not_tell_from_the_quickest_is_marked_with_it():
    first, near, far = timing_of(1.0, 1.1, 1.4), timing_of(1.3, 1.5, 1.6), timing_of(1.5, 1.6, 1.7)
    assert rounds.quickest([far, near, first]) == [near, first]
    assert rounds.quickest([timing_of(1.0), timing_of(2.0)]) == []


def test_the_program_says_what_each_variant_is():
    from command import heddle

    program = heddle("path", "amr", timeout_s=600).stdout.strip()
    found = amr_run.descriptions(program)
    assert tuple(found) == amr_run.VARIANTS
    assert found["serial"] == "one thread, no OpenMP"
    assert found["task-2"] == "checksum by dependences too: no barrier until validation"  # over two lines
