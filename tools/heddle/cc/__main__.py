"""heddle cc without the rest of heddle, for builds that have a Python but not our environment."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from heddle.cc.launcher import main

main(sys.argv[1:])
