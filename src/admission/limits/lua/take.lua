-- Takes a token and a lease, or nothing at all.
-- KEYS  1 buckets of the tenant (hash)  2 its leases (sorted set, by the time they end)
-- ARGV  1 tokens at most, 2 tokens a ms, 3 leases at most, 4 CPU ms at most, 5 CPU ms a ms ('none' for no limit)
--       6 the lease  7 how long it lasts, ms
-- Returns {'granted' or the limit that refused, ms to wait (-1: not known), tokens, ms until full, leases, CPU ms};
-- '' for what has no limit.
local now = now_ms()
local capacity, per_ms = number_or_nil(ARGV[1]), number_or_nil(ARGV[2])
local leases_max = number_or_nil(ARGV[3])
local cpu_capacity, cpu_per_ms = number_or_nil(ARGV[4]), number_or_nil(ARGV[5])

redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', exact(now))
local active = redis.call('ZCARD', KEYS[2])
local tokens = capacity and filled(KEYS[1], 'tokens', capacity, per_ms, now)
local cpu = cpu_capacity and filled(KEYS[1], 'cpu', cpu_capacity, cpu_per_ms, now)

local function answer(word, wait)
  return {
    word,
    wait,
    tokens and tostring(math.floor(tokens)) or '',
    tokens and ms_until(tokens, capacity, per_ms) or 0,
    active,
    cpu and tostring(math.floor(cpu)) or '',
  }
end

if cpu and cpu < 1 then return answer('cpu', ms_until(cpu, 1, cpu_per_ms)) end
if tokens and tokens < 1 then return answer('rate', ms_until(tokens, 1, per_ms)) end
if leases_max and active >= leases_max then return answer('concurrency', -1) end

redis.call('ZADD', KEYS[2], exact(now + ARGV[7]), ARGV[6])
if redis.call('PTTL', KEYS[2]) < tonumber(ARGV[7]) then redis.call('PEXPIRE', KEYS[2], ARGV[7]) end
active = redis.call('ZCARD', KEYS[2])
if tokens then
  tokens = tokens - 1
  store(KEYS[1], 'tokens', tokens, now)
  keep_for(KEYS[1], ms_until(tokens, capacity, per_ms))
end
if cpu then
  store(KEYS[1], 'cpu', cpu, now)
  keep_for(KEYS[1], ms_until(cpu, cpu_capacity, cpu_per_ms))
end
return answer('granted', 0)
