"""Options of the whole test tree."""


def pytest_addoption(parser):
    parser.addoption("--full", action="store_true", help="oracle tests: every combination at 1, 2 and 5 threads")
