"""heddle graph: a program's recorded taskgraphs as tables, files and pictures."""
