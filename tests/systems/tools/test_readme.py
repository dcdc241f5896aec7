"""The program that the README shows does what it says, built by every compiler, on libheddle."""

import re
import shutil
import subprocess

import pytest
from command import ROOT, heddle
from heddle import clang

README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("compiler", ["gcc", clang.c()])
def test_the_first_program_prints_what_the_page_says(tmp_path, compiler):
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not installed")
    program = re.search(r"```c\n(.*?)```", README, re.DOTALL)[1]
    said = re.search(r"heddle run -- ./cells +# (\d+)$", README, re.MULTILINE)[1]
    (tmp_path / "cells.c").write_text(program)
    subprocess.run([compiler, "-fopenmp", "cells.c", "-o", "cells"], cwd=tmp_path, check=True)
    result = heddle("run", "--", "./cells", cwd=tmp_path, timeout_s=600)
    assert (result.stdout, result.returncode) == (said + "\n", 0)
