"""One command a file. A command parses, asks the modules above it, and says what came out."""
