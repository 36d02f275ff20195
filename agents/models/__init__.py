"""The models that can reply to an agent.

`openai_chat` speaks to any OpenAI-compatible server and is the one file that knows the SDK. What it needs beside the
SDK is in small files that know nothing of it. On the way out, `accommodations` changes a request so that a server
takes it. On the way in, `sse` splits the bytes into pieces and `reply` puts the pieces together, with `think_tags`,
`stop_text`, `usage` and `estimate`. When it fails, `refusals` sorts what the server says and `explainer` makes an
error for a person of it. `background` makes all the waiting interruptible, `addresses` mends base URLs, and
`settings` reads `.env`.
"""
