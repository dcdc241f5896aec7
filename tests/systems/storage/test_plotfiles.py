"""Plotfiles hold what the run had, to the bit: yt opens them; each box is a leaf of the mesh, or covered by some."""

import json
import math

import numpy as np
import pytest
import yt
from small_runs import AMR_INPUT, WAVE_INPUTS, amr_run, disk, start, wave_run

yt.set_log_level(50)


def fields_of(grid) -> dict[str, np.ndarray]:
    return {name: np.asarray(grid["boxlib", name]) for _, name in grid.ds.field_list}


def boxes(path, *, covered: bool | None = False) -> dict[tuple, dict[str, np.ndarray]]:
    """Of each leaf's box, or of each covered one, or None: of both, by its level and corners: its fields."""
    dataset = yt.load(str(path))
    found = {}
    for grid in dataset.index.grids:
        mask = grid.child_mask
        assert mask.all() or not mask.any()
        if covered is None or covered == (not mask.any()):
            found[grid.Level, *map(float, grid.LeftEdge), *map(float, grid.RightEdge)] = fields_of(grid)
    return found


def leaves_per_level(path) -> list[int]:
    counts: dict[int, int] = {}
    for level, *_ in boxes(path):
        counts[level] = counts.get(level, 0) + 1
    return [counts[level] for level in sorted(counts)]


def assert_covered_cells_are_means(path, ratio: int) -> None:
    """Each cell of a covered box is the mean of those that cover it, on the level below theirs."""
    dataset = yt.load(str(path))
    dim = dataset.dimensionality
    coarsest = min(grid["boxlib", "level"].min() for grid in dataset.index.grids)
    covered = [grid for grid in dataset.index.grids if not grid.child_mask.any()]
    assert bool(covered) == (dataset.index.max_level > 0)
    for grid in covered:
        cells = np.asarray(grid.ActiveDimensions)
        fine = cells * np.array([ratio if axis < dim else 1 for axis in range(3)])
        corner = np.asarray(grid.get_global_startindex()) * (fine // cells)
        assert len(grid.Children) == ratio**dim
        for name, values in fields_of(grid).items():
            whole = np.full(fine, np.nan)
            for child in grid.Children:
                at = np.asarray(child.get_global_startindex()) - corner
                end = at + np.asarray(child.ActiveDimensions)
                whole[tuple(slice(a, b) for a, b in zip(at, end, strict=True))] = np.asarray(child["boxlib", name])
            shape = [n for pair in zip(cells, fine // cells, strict=True) for n in pair]
            means = whole.reshape(shape).mean(axis=(1, 3, 5))
            if name not in ("level", "owner"):
                np.testing.assert_allclose(values, means, rtol=1e-13, atol=1e-14 * np.abs(whole).max())
            if name == "level":
                assert (values == coarsest + grid.Level).all()


def assert_same(a: dict, b: dict, but: tuple[str, ...] = ()) -> None:
    assert a.keys() == b.keys()
    for box, fields in a.items():
        assert fields.keys() == b[box].keys()
        for name, values in fields.items():
            assert name in but or np.array_equal(values, b[box][name]), (box, name)


def assert_covers(path, dim: int) -> None:
    """The domain, and nothing twice."""
    dataset = yt.load(str(path))
    cell = dataset.all_data()["index", "cell_volume"]
    assert math.isclose(float(cell.sum()), 1.0, rel_tol=1e-12)
    assert dataset.dimensionality == dim


@pytest.mark.parametrize("ranks, threads, variant", [(1, 1, "serial"), (3, 2, "data-flow"), (2, 2, "task-2")])
def test_amr_writes_the_cells_that_its_sums_are_of(amr, tmp_path, ranks, threads, variant):
    found = amr_run(amr, tmp_path, ["--plot_freq", "3"], ranks=ranks, threads=threads, variant=variant)
    plots = sorted(path.name for path in tmp_path.glob("plt?????"))
    assert plots == ["plt00000", "plt00003", "plt00006"]
    for plot, timestep in zip(plots, (0, 3, 6), strict=True):
        of_step = [r for r in found["refinements"] if r["timestep"] <= timestep][-1]
        per_level = [n for n in of_step["blocks_per_level"] if n]
        assert leaves_per_level(tmp_path / plot) == per_level
        assert_covers(tmp_path / plot, 3)
        assert_covered_cells_are_means(tmp_path / plot, 2)
    # The last check is of the last stage, and no refinement followed it.
    last = boxes(tmp_path / plots[-1])
    for v in range(AMR_INPUT.num_vars):
        total = math.fsum(math.fsum(f[f"var{v}"].ravel()) for f in last.values())
        assert math.isclose(total, found["checks"][-1]["sum"][v], rel_tol=1e-14)
    coarsest = next(n for n, count in enumerate(of_step["blocks_per_level"]) if count)
    for (level, *_), fields in boxes(tmp_path / plots[-1], covered=None).items():
        assert (fields["level"] == coarsest + level).all()
        assert fields["owner"].min() == fields["owner"].max() < ranks
    assert len({fields["owner"].max() for fields in last.values()}) == ranks


def test_ranks_threads_and_variants_give_the_same_cells(amr, tmp_path):
    plots = []
    for n, (ranks, variant) in enumerate([(1, "serial"), (1, "data-flow"), (2, "loop"), (4, "data-flow")]):
        amr_run(amr, tmp_path, ["--plot_freq", "3", "--plot_file", f"p{n}-"], ranks=ranks, threads=2, variant=variant)
        plots.append(boxes(tmp_path / f"p{n}-00006", covered=None))
    for other in plots[1:]:
        assert_same(plots[0], other, but=("owner",))


PERIODIC = {
    "vortex": ("--problem vortex --dim 2 --ratio 2 --volumes 4", (True, True, False)),
    "vortex, 3-D": ("--problem vortex --dim 3 --ratio 2 --volumes 4", (True, True, True)),
    "sedov": ("--problem sedov --dim 2 --ratio 2 --volumes 4", (False, False, False)),
    "sod": ("--problem sod --dim 3 --ratio 2 --volumes 4", (False, True, True)),
}


@pytest.mark.parametrize("name", PERIODIC)
def test_readers_know_which_axes_are_periodic(name, wave, tmp_path):
    words, axes = PERIODIC[name]
    done = start(wave, [*words.split(), *"--max_level 2 --max_steps 1 --plot_freq 1 --quiet".split()], tmp_path)
    assert done.returncode == 0, done.stderr
    dataset = yt.load(str(tmp_path / "plt00001"))
    assert tuple(dataset.periodicity) == axes
    if dataset.dimensionality == 3:  # what looks at neighbours goes round the domain; elsewhere users ask for it
        if not all(axes):
            dataset.force_periodicity()
        dataset.add_gradient_fields(("boxlib", "density"))
        assert np.isfinite(np.asarray(dataset.all_data()["boxlib", "density_gradient_x"])).all()
        size = dataset.domain_dimensions * 2**dataset.index.max_level
        smoothed = dataset.smoothed_covering_grid(dataset.index.max_level, dataset.domain_left_edge, size)
        assert np.isfinite(np.asarray(smoothed["boxlib", "density"])).all()


@pytest.mark.parametrize(
    "words, says", [("--ratio 3", True), ("--ratio 3 --quiet", False), ("--ratio 2", False), ("--max_level 1", False)]
)
def test_what_yt_cannot_do_with_ratio_3_is_said_once(words, says, wave, tmp_path):
    common = "--problem sedov --volumes 6 --max_level 2 --max_steps 2 --plot_freq 1".split()
    done = start(wave, [*common, *words.split()], tmp_path)
    assert done.returncode == 0
    assert done.stderr.count("yt projects plotfiles of --ratio 2 alone") == says
    dataset = yt.load(str(tmp_path / "plt00002"))
    if "3" in words:  # as long as it holds
        with pytest.raises(RuntimeError):
            dataset.proj(("boxlib", "density"), "z")["boxlib", "density"]
    else:
        assert float(dataset.proj(("boxlib", "density"), "z")["boxlib", "density"].sum()) > 0


def test_chosen_variables(amr, tmp_path):
    amr_run(amr, tmp_path, ["--plot_freq", "6", "--plot_vars", "3,0-1"])
    fields = next(iter(boxes(tmp_path / "plt00006").values()))
    assert set(fields) == {"var0", "var1", "var3", "level", "owner"}


@pytest.mark.parametrize("name", WAVE_INPUTS)
def test_wave_writes_its_state(name, wave, tmp_path):
    dim = 3 if "3-D" in name else 2
    samples = tmp_path / "samples.csv"
    found = wave_run(wave, tmp_path, name, ["--plot_freq", "4", "--samples", str(samples)], threads=2)
    last = tmp_path / f"plt{found['steps']:05}"
    dataset = yt.load(str(last))
    assert float(dataset.current_time) == found["time"]
    assert leaves_per_level(last) == [n for n in found["patches_per_level"] if n]
    assert_covers(last, dim)
    assert_covered_cells_are_means(last, 3 if "ratio 3" in name else 2)
    if dim == 2:
        expected = {
            (round(float(x), 12), round(float(y), 12)): float(value)
            for x, y, _, value, _ in (line.split(",") for line in samples.read_text().splitlines()[1:])
        }
        data = dataset.all_data()
        x, y, density = (np.asarray(data[f]).tolist() for f in (("index", "x"), ("index", "y"), ("boxlib", "density")))
        assert {(round(a, 12), round(b, 12)): value for a, b, value in zip(x, y, density, strict=True)} == expected
    data = dataset.all_data()
    cell = np.asarray(data["index", "cell_volume"])
    for quantity, value in found["conserved"]["end"].items():
        total = math.fsum(cell * np.asarray(data["boxlib", quantity]))
        assert math.isclose(total, value, rel_tol=1e-12, abs_tol=1e-12), quantity
    assert set(np.unique(np.asarray(data["boxlib", "enclave"]))) <= {0.0, 1.0}
    wave_run(wave, tmp_path, name, ["--plot_freq", "4", "--plot_file", "other"], ranks=3, threads=2)
    other = tmp_path / f"other{found['steps']:05}"
    assert_same(boxes(last, covered=None), boxes(other, covered=None), but=("owner", "enclave"))


def test_a_mesh_of_one_level_may_have_any_volumes(wave, tmp_path):
    words = "--problem sedov --dim 2 --volumes 5 --max_level 1 --max_steps 2 --plot_freq 1 --quiet".split()
    assert start(wave, words, tmp_path).returncode == 0
    assert_covers(tmp_path / "plt00002", 2)


def test_a_collection_lists_the_plotfiles_of_a_run(wave, tmp_path):
    name = next(iter(WAVE_INPUTS))
    found = wave_run(wave, tmp_path, name, ["--plot_freq", "4"])
    plots = sorted(path.name for path in tmp_path.glob("plt?????"))
    assert (tmp_path / "plt.visit").read_text().split() == [f"{plot}/Header" for plot in plots]
    series = json.loads((tmp_path / "plt.series").read_text())["files"]
    assert [file["name"] for file in series] == plots
    assert series[0]["time"] == 0.0 and series[-1]["time"] == found["time"]
    assert [float(d.current_time) for d in yt.load(str(tmp_path / "plt?????"))] == [file["time"] for file in series]


def test_a_plotfile_replaces_one_of_the_same_name(wave, tmp_path):
    name = next(iter(WAVE_INPUTS))
    (tmp_path / "plt00000" / "Level_7").mkdir(parents=True)
    (tmp_path / "plt00000" / "Header").touch()
    wave_run(wave, tmp_path, name, ["--plot_freq", "4"])
    assert not (tmp_path / "plt00000" / "Level_7").exists()
    assert not list(tmp_path.glob("*.part*")) and not list(tmp_path.glob("*.old*"))


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_full_disk_leaves_earlier_plotfiles_and_no_half_one(wave, tmp_path, ranks):
    with disk(tmp_path / "disk", "size=600k") as folder:
        words = [*WAVE_INPUTS["2-D, ratio 3"], "--plot_freq", "1", "--plot_file", str(folder / "plt"), "--quiet"]
        done = start(wave, words, tmp_path, ranks=ranks, threads=2)
        assert done.returncode == 2
        lines = [line for line in done.stderr.splitlines() if line.startswith("heddle-wave:")]
        assert len(lines) == 1 and "No space left on device; make room" in lines[0]
        assert not list(folder.glob("*.part*"))
        kept = sorted(folder.glob("plt?????"))
        assert kept
        for plot in kept:
            boxes(plot)


@pytest.mark.parametrize(
    "program, words, message",
    [
        ("amr", ["--plot_freq", "1", "--plot_format", "vtk"], "--plot_format vtk: give reference or amrex"),
        (
            "amr",
            ["--plot_freq", "1", "--plot_format", "amrex", "--plot_vars", "7"],
            "--plot_vars names variable 7, but --num_vars is 5: the last is 4",
        ),
        ("amr", ["--plot_format", "amrex"], "--plot_format has no effect without --plot_freq; give both"),
        ("amr", ["--plot_freq", "1", "--plot_vars", "0"], "no effect without --plot_freq and --plot_format amrex"),
        ("wave", ["--plot_vars", "density"], "--plot_vars has no effect without --plot_freq"),
        ("wave", ["--plot_file", "p"], "--plot_file has no effect without --plot_freq"),
        ("amr", ["--plot_vars", "3-1"], "--plot_vars 3-1: give numbers of variables, as in 0,3,8-11"),
        (
            "amr",
            ["--plot_freq", "1", "--plot_format", "amrex", "--plot_file", "no/plt"],
            "there is no folder no; make it first",
        ),
        ("wave", ["--plot_freq", "-1"], "--plot_freq is -1; give 0 or more"),
        (
            "wave",
            ["--plot_freq", "1", "--volumes", "5"],
            "--plot_freq wants --volumes that the ratio 3 divides, not 5; give 6, or another --ratio",
        ),
        ("wave", ["--plot_freq", "1", "--plot_vars", "mass"], "--plot_vars mass: this problem has density, momentum_x"),
    ],
)
def test_mistakes_get_one_line(program, words, message, amr, wave, tmp_path):
    binary, given = (amr, AMR_INPUT.words()) if program == "amr" else (wave, WAVE_INPUTS["2-D, ratio 3"])
    done = start(binary, [*given, *words], tmp_path)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1 and message in done.stderr
    assert not list(tmp_path.iterdir())
