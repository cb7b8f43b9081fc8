import locale
print(locale.setlocale(locale.LC_ALL), locale.getlocale(), locale.getpreferredencoding(), locale.localeconv())
print(locale.setlocale(locale.LC_ALL, ''), locale.format_string('%d', 1234567, grouping=True))
