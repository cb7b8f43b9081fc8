-- KEYS: 4 the lease. ARGV: 1 name, 2 token, 3 how long bytes are kept (ms), 4 most of the sum, 5 bytes, if any. Answers what was
-- kept before, or false.
if redis.call('HGET', KEYS[4], 'token') == ARGV[2] then redis.call('DEL', KEYS[4]) end
if not ARGV[5] then return false end
local known = live(ARGV[1])
if known then return known end
keep(ARGV[1], ARGV[5], tonumber(ARGV[3]), tonumber(ARGV[4]))
return false
