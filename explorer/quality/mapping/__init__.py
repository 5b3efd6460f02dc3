"""From which values of the raw record the unified fields are made, and which records do not follow that.

In reading order:

1. `origin` is how one field is made: the raw paths it reads and the transform. `search` finds the paths by value,
   `learn` the transform, from a `sample`; `partial_sources`, `joined_texts` and `included_parts` help them.
   Values are compared in their `normal_forms`.
2. `field_tracker` compares every record with that, a `record_batch` at a time, and keeps a `field_state` for each
   field. `judge` and `judge_source` turn the states into findings; `raw_ownership` finds raw data of another record.
3. `columns` compares a field with the raw path of its own name (`name_match`, `same_name_column`, `same_name_texts`),
   whatever was learned.
4. Arrays: `nested` compares their items with the raw array (`array_source`, `array_contents`, `assembled_arrays`,
   `chosen_items`); `item_rows` puts the items to the rules for records.
5. Rules that compare records with each other: `choice_fields`, `container_types`, `decision_tables` with `word_tables`,
   `deleted_records`, `fallback_sources`, `flag_words`, `foreign_tenants`, `inconsistent_results`, `lossy_lists`,
   `marked_items`, `media_types`, `mixed_sources`, `parent_child`, `time_zones`. `conditions` tells whether raw data has
   a reason for an odd record, `placeholders` whether a value stands for none.
6. `trace`, `emptiness` and `example_sources` answer for one record: where a value comes from, and why one is empty.

The order in which the rules run, and what each leaves to an earlier one, is in `quality/checks/lineage.py`.
"""
