"""Reading of OpenAPI documents: what a stranger's document says of its lists, with the reason for each conclusion.

Documents come from strangers. Nothing here does I/O but `kept`, which is handed its folder; no reference to another
file or host is followed, no YAML tag is read, and each step has a bound, so that any bytes end as a `Proposal` or as
one `DocumentFault`.

===============  ===================================================================================================
`load`           bytes to a tree of dicts, lists and scalars, within bounds (JSON, YAML)
`document`       the tree as a document: references inside it, schemas put together of their parts (`Shape`)
`words`          names of parameters and fields, and what they usually mean
`operations`     the operations with their parameters and answers
`rows`           where the rows of a list are
`paging`         how the next page is asked for; `extensions` reads what generators of clients are told about it
`identity`       whom a call is for and by whom: connection, constant headers, authorization, and shape of errors
`proposal`       all of it together: `read` makes a `Proposal` (`values`) out of bytes
`pack`           a few lines of TOML that correct a proposal
`interface`      a proposal as an `Interface` of the catalog, which everything else works on
`kept`           documents with their packs in the user's folder
===============  ===================================================================================================
"""
