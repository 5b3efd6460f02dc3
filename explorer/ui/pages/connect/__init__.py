"""The pages of magic links and webhooks."""
