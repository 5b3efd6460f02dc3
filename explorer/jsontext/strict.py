"""msgspec's decoders, which split strict JSON into the bytes of its members at memory speed.

Of two equal names they silently keep the last: a caller that needs both has to look at the bytes.
"""

from __future__ import annotations

import msgspec

OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])
ARRAY = msgspec.json.Decoder(list[msgspec.Raw])
TEXT = msgspec.json.Decoder(str)
REFUSED = (msgspec.MsgspecError, UnicodeError, RecursionError)
"""What they raise for invalid JSON: NaN, lone surrogates, control characters, a byte order mark, deep nesting."""
