"""Runs and observations as JSON, HTML, JUnit, Markdown and HAR."""
