"""A lit test format that finds only the tests of a list. In a module of its own: lit sends it to other processes."""

from __future__ import annotations

import lit.formats


class ListedTests(lit.formats.ShTest):
    """Shell tests, of which only those in names exist; names are paths in the suite."""

    def __init__(self, names: set[str]):
        super().__init__()
        self.names = names

    def getTestsForPath(self, testSuite, path_in_suite, litConfig, localConfig):
        """lit's question which tests a file holds."""
        if "/".join(path_in_suite) in self.names:
            yield from super().getTestsForPath(testSuite, path_in_suite, litConfig, localConfig)
