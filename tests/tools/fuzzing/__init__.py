"""Every door that something can come in by, and strange things to push through it."""
