"""heddle doctor: what is here, what is missing, and how to fix it."""

import typer


def doctor() -> None:
    """Say what is here, what is missing, and how to fix it.

    Exit status 1 if anything is missing.
    """
    from rich.table import Table

    from heddle.doctor.findings import findings
    from heddle.terminal import console

    found = list(findings())
    table = Table(box=None, show_header=False, pad_edge=False)
    colours = {"ok": "green", "to do": "yellow", "missing": "red"}
    for finding in found:
        mend = f"  → {finding.mend}" if finding.mend else ""
        table.add_row(f"[{colours[finding.state]}]{finding.state}[/]", finding.what, f"{finding.text}{mend}")
    console().print(table)
    if any(finding.state == "missing" for finding in found):
        raise typer.Exit(1)
