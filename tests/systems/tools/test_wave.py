"""./heddle wave --plot: what it draws, and what it refuses."""

import json

import numpy as np
import pytest
from command import assert_one_line, heddle
from heddle.wave import samples

SOD = ("--problem", "sod", "--volumes", "9", "--exec", "serial", "--threads", "1", "--max_steps", "60")


def plane(rows: list[tuple[float, float, float, float, int]]) -> samples.Plane:
    x, y, width, value, level = np.array(rows, dtype=float).T
    return samples.Plane(x, y, width, value, level.astype(int))


# One coarse volume on the left, nine fine ones on the right: two patches of one volume along each axis, the second one
# refined by three.
UNEVEN = plane(
    [(1.5, 1.5, 3.0, 7.0, 0)]
    + [(3.5 + column, 0.5 + row, 1.0, 10.0 * row + column, 1) for row in range(3) for column in range(3)]
)


def test_a_pixel_has_the_value_and_level_of_its_volume():
    raster = samples.rasterise(UNEVEN)
    assert raster.pixel == 1.0
    assert raster.value.tolist() == [[7, 7, 7, 0, 1, 2], [7, 7, 7, 10, 11, 12], [7, 7, 7, 20, 21, 22]]
    assert raster.level.tolist() == [[0, 0, 0, 1, 1, 1]] * 3


def test_volumes_smaller_than_a_pixel_give_their_mean():
    raster = samples.rasterise(UNEVEN, most=2)
    assert raster.pixel == 3.0
    assert raster.value == pytest.approx(np.array([[7.0, 11.0]]))
    assert raster.level.tolist() == [[0, 1]]
    assert samples.rasterise(UNEVEN, most=1).value == pytest.approx(np.array([[9.0]]))


def test_a_place_without_a_volume_is_no_number():
    raster = samples.rasterise(plane([(0.5, 0.5, 1, 4, 2), (1.5, 1.5, 1, 5, 2)]))
    assert np.isnan(raster.value).tolist() == [[False, True], [True, False]]
    assert raster.level.tolist() == [[2, -1], [-1, 2]]


def test_the_borders_of_levels_are_lines_of_full_length():
    assert samples.level_borders(samples.rasterise(UNEVEN)).tolist() == [[[3, 0], [3, 3]]]
    lower = samples.rasterise(plane([(0.5, 0.5, 1, 0, 1), (1.5, 0.5, 1, 0, 1), (1.0, 2.0, 2, 0, 0)]))
    assert samples.level_borders(lower).tolist() == [[[0, 1], [2, 1]]]


def test_patches_are_found_once_each():
    patches = samples.patches(UNEVEN, 1)
    assert len(patches) == 10
    assert sorted(zip(patches.x, patches.y, patches.width, patches.level))[0] == (0, 0, 3, 0)
    four = samples.patches(plane([(i + 0.5, j + 0.5, 1, 0, 3) for i in range(4) for j in range(4)]), 2)
    assert sorted(zip(four.x, four.y)) == [(0, 0), (0, 2), (2, 0), (2, 2)]
    assert set(four.width) == {2.0}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "does not start like"),
        ("x,y,width,value,level\n", "holds no volume"),
        ("x,y,width,value,level\n1,2,3\n", "rows of 3"),
        ("x,y,width,value,level\n1,2,a,3,4\n", "could not convert"),
    ],
)
@pytest.mark.filterwarnings("ignore:loadtxt")
def test_a_broken_samples_file_is_refused(tmp_path, text, words):
    (tmp_path / "samples.csv").write_text(text)
    with pytest.raises(ValueError, match=words):
        samples.read(tmp_path / "samples.csv")


def test_a_million_volumes_are_drawn_in_seconds():
    import time

    from heddle.wave import picture

    x, y = (0.5 + axis.ravel() for axis in np.meshgrid(np.arange(1000.0), np.arange(1000.0)))
    million = samples.Plane(x, y, np.ones(10**6), np.hypot(x, y), np.full(10**6, 2))
    started = time.monotonic()
    assert picture.single(picture.Moment(million, 10, "a million"), "density").startswith(b"\x89PNG")
    from heddle.patience import scaled

    assert time.monotonic() - started < scaled(15)


def test_plot_draws_what_the_samples_and_results_say(tmp_path):
    from matplotlib import image

    done = heddle(
        *("wave", "--plot", tmp_path / "sod.png", "--samples", tmp_path / "sod.csv"),
        *("--results", tmp_path / "sod.json", *SOD),
        timeout_s=600,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == f"picture: {tmp_path / 'sod.png'}"
    raster = samples.rasterise(samples.read(tmp_path / "sod.csv"))
    data = json.loads((tmp_path / "sod.json").read_text())
    rows, columns = raster.value.shape
    assert columns == 9 * rows
    # The gas at rest on both sides of what the membrane's end has sent out.
    assert raster.value[:, : columns // 10] == pytest.approx(1.0)
    assert raster.value[:, -columns // 10 :] == pytest.approx(0.125)
    assert np.all(np.diff(raster.value[0]) <= 1e-12)
    assert samples.patches(samples.read(tmp_path / "sod.csv"), 9).level.size == data["patches"]
    # In the picture the left is bright and the right is dark.
    pixels = image.imread(tmp_path / "sod.png")[..., :3].mean(axis=2)
    height, width = pixels.shape
    middle = pixels[int(0.35 * height) : int(0.45 * height)]
    left, right = middle[:, int(0.1 * width) : int(0.2 * width)], middle[:, int(0.7 * width) : int(0.8 * width)]
    assert np.median(left) > 0.8
    assert np.median(right) < 0.2


def test_plot_leaves_the_programs_output_as_it_is_and_names_no_file_of_its_own(tmp_path):
    drawn = heddle("wave", "--plot", tmp_path / "a.png", *SOD, timeout_s=600)
    plain = heddle("wave", *SOD)
    assert drawn.returncode == plain.returncode == 0

    def untimed(text: str) -> list[str]:
        return text.splitlines()[1:]  # the first line has seconds

    assert untimed(drawn.stdout) == [*untimed(plain.stdout), f"picture: {tmp_path / 'a.png'}"]
    quiet = heddle("wave", "--plot", tmp_path / "b.png", "--quiet", *SOD)
    assert (quiet.stdout, quiet.stderr) == ("", "")
    assert (tmp_path / "b.png").read_bytes() == (tmp_path / "a.png").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--plot", "picture.jpg"], "ends in .png"),
        (["--plot", "/nowhere/picture.png"], "no folder /nowhere"),
        (["--plot", "a.png", "--runtime", "nonsense"], "heddle, gnu, llvm"),
        (["--plot", "a.png", "--ranks", "2"], "leave out --ranks 2"),
        (["--quick"], "add --demo"),
        (["--out", "somewhere"], "add --demo"),
        (["--rounds", "0"], "add --demo"),
        (["--demo", "--plot", "a.png"], "leave out --plot"),
        (["--demo", "--problem", "sod"], "leave out --problem sod"),
        (["--demo", "--runtime", "gnu"], "leave out --runtime"),
        (["--demo", "--ranks", "2"], "leave out --ranks"),
        (["--demo", "--rounds", "0"], "--rounds 0"),
        (["--demo", "--threads", "0"], "--threads 0"),
        (["--demo", "--out", "/proc/nowhere"], "/proc/nowhere"),
    ],
)
def test_a_mistake_is_one_line_with_the_way_out(arguments, words, tmp_path):
    assert_one_line(heddle("wave", *arguments, cwd=tmp_path), words)
    assert list(tmp_path.iterdir()) == []


def test_a_mistake_that_the_program_finds_leaves_no_picture(tmp_path):
    result = heddle("wave", "--plot", tmp_path / "a.png", "--problem", "nonsense", timeout_s=600)
    assert result.returncode == 2
    assert result.stderr.splitlines() == [
        "heddle-wave: --problem nonsense does not exist; heddle-wave --help lists those that do"
    ]
    assert list(tmp_path.iterdir()) == []


def test_help_lists_the_launchers_options_and_the_programs(tmp_path):
    result = heddle("wave", "--help", timeout_s=600)
    assert result.returncode == 0
    for word in ("--plot FILE.png", "--demo", "--runtime NAME", "--strategy NAME"):
        assert word in result.stdout
