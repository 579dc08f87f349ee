"""All entry points for user input, and generators of almost valid input for each of them."""
