"""The demo: one input, every variant, every runtime; a page with times and pictures of the mesh."""
