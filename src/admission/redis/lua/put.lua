-- ARGV: 1 name, 2 bytes, 3 how long they are kept (ms), 4 most of the sum. Answers entries, sum, and how many had to go.
local evicted = keep(ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]))
return { redis.call('HLEN', KEYS[1]), tonumber(redis.call('GET', KEYS[3])), evicted }
