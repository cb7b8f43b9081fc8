-- ARGV: 1 name. Answers its bytes, or false.
return live(ARGV[1])
