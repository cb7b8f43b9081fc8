# Is nothing at all.
