"""JSON as text: its tokens, where each value lies in it, and what it says, however it breaks JSON's rules inside.

====================  ================================================================================================
`scan`                the tokens
`members`             where each member of an object or array lies; takes what is there and says what is wrong
`pieces`              the same of a large one, a bounded piece at a time, so that no answer holds the window
`cut`                 the same of a whole text, refused where quotes and brackets do not hold together
`escape`              what a quoted text says, and how a character is written as an escape
`read`                whole values: exactly (decimals), and loosely (as Python's reader does, with what is odd noted)
`pointer`             where a value stands: JSON pointers and dotted paths
`typed`               what a person types: the first fault in words, and the same tokens set tight or wide
`strict`, `quick`     msgspec's decoders, with msgspec imported at once or not before somebody else has
====================  ================================================================================================

Nothing of the project is imported here, and msgspec by `strict` alone: the window's first rows are read before it is
there. Nothing here recurses over brackets, so that no depth of nesting ends the program; what Python's own readers
refuse for its depth is a ValueError.
"""
