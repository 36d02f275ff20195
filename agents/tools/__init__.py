"""The tools that an agent may call: small functions from text to text, kept in a Toolbox."""
