"""JSON as text: its tokens, the positions of its members, and its values, also where the text is not valid JSON.

====================  ================================================================================================
`scan`                the tokens
`members`             the position of each member of an object or array; tolerant: reports what is wrong
`pieces`              the same for large values, a bounded piece at a time, so that no answer blocks the window
`cut`                 the same, strict: raises where quotes and brackets do not match
`escape`              the text of a quoted token, and a character as an escape
`read`                whole values: exactly (decimals), or leniently (as Python's parser, with what is odd noted)
`pointer`             JSON pointers and dotted paths
`typed`               JSON that a person types: the first fault in words; compact and pretty printing
`strict`, `quick`     msgspec's decoders: `strict` imports msgspec, `quick` uses it only once it is imported
====================  ================================================================================================

This package imports nothing else of the project, and msgspec only in `strict`: the window's first rows are read before
msgspec is imported. Nothing here recurses over brackets, so that deep nesting cannot end the program; where Python's
own parser raises RecursionError, a ValueError is raised.
"""
