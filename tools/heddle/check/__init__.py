"""heddle check: where a program's taskgraph regions do not do what was recorded, by variables."""
