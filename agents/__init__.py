"""How language-model agents think: the paradigms in pure Python, with no trace of the app that draws them."""
