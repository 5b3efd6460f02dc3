"""msgspec's decoders of strict JSON that cut a value into its members' own bytes, at memory speed.

It keeps the last of two equal names in silence: who must not miss the other looks at the bytes.
"""

from __future__ import annotations

import msgspec

OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])
ARRAY = msgspec.json.Decoder(list[msgspec.Raw])
TEXT = msgspec.json.Decoder(str)
REFUSED = (msgspec.MsgspecError, UnicodeError, RecursionError)
"""What they raise on what they do not read: NaN, half surrogates, control characters, a byte order mark, depth."""
