"""The pages, a folder each. No page knows another; ui/app finds them by its registry."""
