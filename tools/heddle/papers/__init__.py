"""heddle papers: what five papers claim, measured here, one page."""
