"""Programs that measure; what they printed stands in the README."""
