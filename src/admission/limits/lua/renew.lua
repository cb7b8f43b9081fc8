-- Makes leases last from now on; those that are not there are there again.
-- KEYS  1 leases of the tenant (sorted set)
-- ARGV  1 how long they last, ms  2 … the leases
local ends = exact(now_ms() + ARGV[1])
for at = 2, #ARGV do redis.call('ZADD', KEYS[1], ends, ARGV[at]) end
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return #ARGV - 1
