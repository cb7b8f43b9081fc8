e = ValueError('v')
e.add_note('a note\nof two lines')
raise e
