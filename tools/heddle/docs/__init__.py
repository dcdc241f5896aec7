"""The manual: docs/ as a site, with references made from their sources.

MkDocs builds it (mkdocs.yml), and calls hooks.py, which adds the pages that are in no file.
"""
