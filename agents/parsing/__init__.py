"""Reading what models write: pure functions from a reply's text to what it means, or a FormatError."""
