"""The pages of pipelines, connections and customers."""
