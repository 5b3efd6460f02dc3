"""What a page that sends one call is made of: form, request, answer, history."""
