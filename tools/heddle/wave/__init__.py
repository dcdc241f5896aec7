"""heddle-wave's runs as pictures, its demo and its measurements."""
