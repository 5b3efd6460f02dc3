"""The two envelopes of lists in the built-in interface (contract 2.14)."""

from explorer.catalog.spec import Envelope

TYPE_A = Envelope(
    "A", items="items", cursor="next_cursor", flag="has_next_page", elsewhere=("next_page_cursor",)
)
TYPE_B = Envelope("B", items="items", cursor="next_page_cursor", flag=None, elsewhere=("next_cursor",))
