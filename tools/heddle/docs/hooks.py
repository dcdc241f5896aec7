"""What MkDocs calls while it builds the manual (mkdocs.yml, hooks)."""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from heddle import paths
from heddle.docs import header, reference, sources

_HEADERS = {
    "heddle.h": paths.HEADERS / "heddle.h",
    "heddle_mpi.h": paths.ROOT / "mpi" / "include" / "heddle_mpi.h",
    "heddle_cuda.h": paths.HEADERS / "heddle_cuda.h",
    "heddle_tools.h": paths.HEADERS / "heddle_tools.h",
}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the references, and the sources that pages link to."""
    made = {f"reference/{name}.md": header.page(name, path.read_text()) for name, path in _HEADERS.items()}
    made["reference/commands.md"] = reference.launcher()
    for name in paths.PROGRAMS.values():
        made[f"reference/{name}.md"] = reference.program(name)
    made |= sources.linked(Path(file.abs_src_path) for file in files.documentation_pages())
    for place, text in made.items():
        files.append(File.generated(config, place, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Leads links out of docs/ to the pages of those sources."""
    if page.file.abs_src_path is None:  # made above
        return markdown
    return sources.rewritten(markdown, Path(page.file.abs_src_path), page.file.src_uri)
