"""docs/runtime/memory-orders.md has every memory order of runtime/ and mpi/, and says what the tests have found."""

import memory_orders as orders


def test_every_suite_has_run_on_the_code_as_it_is():
    built = orders.BINARY.stat().st_mtime
    sources = [orders.ROOT / name for name in orders.sources()]
    sources += [*orders.TESTS.rglob("*_executions_test.cpp"), *(orders.TESTS / "runtime" / "support").iterdir()]
    newer = [source.name for source in sources if source.stat().st_mtime > built]
    assert not newer, f"./heddle build release: {', '.join(newer)} changed since"
    old = [suite for suite in orders.suites() if (orders.FOUND / f"{suite}.tsv").stat().st_mtime < built]
    assert not old, f"run build/release/bin/runtime_executions: {', '.join(old)} ran before it was built"


def test_every_order_in_the_sources_is_explored():
    rows = orders.findings()
    missing = []
    for file in orders.sources():
        named, explored = orders.named_in_source(orders.ROOT / file), orders.explored(file, rows)
        if named != explored:
            missing.append(f"{file} names {dict(named)}, and scenarios execute {dict(explored)}")
    assert not missing, "\n".join(missing)


def test_the_page_is_what_the_tests_have_found():
    assert orders.PAGE.read_text(encoding="utf-8") == orders.page(orders.findings()), (
        ".venv/bin/python tests/unit/runtime/memory_orders.py writes it anew"
    )
