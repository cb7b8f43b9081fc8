import sqlite3
db = sqlite3.connect(':memory:')
print(db.execute('select 1 + 1, sqlite_version() > ""').fetchall())
