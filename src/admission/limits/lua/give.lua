-- Ends a lease and charges what was spent.
-- KEYS  1 buckets of the tenant (hash)  2 its leases (sorted set)
-- ARGV  1 tokens at most, 2 tokens a ms, 3 CPU ms at most, 4 CPU ms a ms ('none' for no limit)
--       5 the lease  6 CPU ms spent  7 '1' where the token comes back
local now = now_ms()
local capacity, per_ms = number_or_nil(ARGV[1]), number_or_nil(ARGV[2])
local cpu_capacity, cpu_per_ms = number_or_nil(ARGV[3]), number_or_nil(ARGV[4])

local was_held = redis.call('ZREM', KEYS[2], ARGV[5]) == 1
if cpu_capacity then
  local cpu = filled(KEYS[1], 'cpu', cpu_capacity, cpu_per_ms, now) - ARGV[6]
  store(KEYS[1], 'cpu', cpu, now)
  keep_for(KEYS[1], ms_until(cpu, cpu_capacity, cpu_per_ms))
end
if capacity and was_held and ARGV[7] == '1' then
  local tokens = math.min(capacity, filled(KEYS[1], 'tokens', capacity, per_ms, now) + 1)
  store(KEYS[1], 'tokens', tokens, now)
  keep_for(KEYS[1], ms_until(tokens, capacity, per_ms))
end
return 1
