"""heddle fuzz: many orders of a program's tasks, and the two tasks whose order decides its output."""
