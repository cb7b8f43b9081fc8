import unicodedata
print(unicodedata.name('é'), unicodedata.normalize('NFD', 'é').encode(), 'ß'.upper(), 'İ'.lower(), 'ǆ'.title(), unicodedata.unidata_version)
