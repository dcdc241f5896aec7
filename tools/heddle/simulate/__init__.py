"""heddle simulate: a recorded run on other numbers of cores."""
