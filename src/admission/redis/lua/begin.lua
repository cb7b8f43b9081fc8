-- KEYS: 4 the lease. ARGV: 1 name, 2 token, 3 mark, 4 how long a lease holds (ms). Answers what there is: a word, and the bytes or
-- the mark of who has the lease.
local known = live(ARGV[1])
if known then return { 'done', known } end
local holder = redis.call('HMGET', KEYS[4], 'token', 'mark')
if holder[1] and holder[1] ~= ARGV[2] then return { 'others', holder[2] } end
redis.call('HSET', KEYS[4], 'token', ARGV[2], 'mark', ARGV[3])
redis.call('PEXPIRE', KEYS[4], ARGV[4])
return { 'mine', '' }
