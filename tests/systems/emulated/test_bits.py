"""The engines of this machine's builds compute the bits that all processors must; steps.py has those for AArch64."""

import bits
import pytest
from heddle import paths, toolchain


@pytest.mark.parametrize("preset", ["release", "release-clang"])
def test_the_engines_compute_the_bits_that_every_processor_must(preset, capsys):
    toolchain.build(preset, [toolchain.RUNTIME_TARGET, paths.AMR, paths.WAVE])
    assert bits.main([str(paths.BUILD / preset)]) == 0, capsys.readouterr().out


def test_another_answer_is_told_of(monkeypatch, tmp_path, capsys):
    golden = tmp_path / "bits.json"
    golden.write_text(bits.GOLDEN.read_text().replace('"009384064dfe782e"', '"009384064dfe782f"'))
    monkeypatch.setattr(bits, "GOLDEN", golden)
    monkeypatch.setattr(bits, "_AMR_ANSWERS", {"7-point": "--stencil 7"})
    monkeypatch.setattr(bits, "_WAVE_ANSWERS", {})
    assert bits.main([str(paths.BUILD / "release")]) == 1
    assert capsys.readouterr().out.count("another answer than bits.json") == 5


def test_a_folder_without_programs_is_refused(tmp_path, capsys):
    assert bits.main([str(tmp_path)]) == 2
    assert "has no bin/heddle-amr" in capsys.readouterr().err
