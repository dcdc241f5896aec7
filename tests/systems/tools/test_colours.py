"""Colours by lightness."""

from heddle import colours


def test_levels_get_darker_in_even_steps():
    lightness = [colours.to_oklab(colour)[0] for colour in colours.of_levels(5)]
    steps = [one - other for one, other in zip(lightness, lightness[1:])]
    assert min(steps) > 0.1
    assert max(steps) < 2 * min(steps)


def test_a_colour_survives_the_way_to_oklab_and_back():
    for colour in ("#000000", "#ffffff", "#14507a", "#d1495b"):
        assert colours.from_oklab(colours.to_oklab(colour)) == colour
