-- Bytes by name, within a sum, for a while: the oldest go first. KEYS of all scripts: 1 name → bytes, 2 name → end (ms), 3 sum.
local ENTRY_BYTES = 200

-- Each tells of the others: where Redis has thrown one away for want of memory, nothing is known any more.
if redis.call('EXISTS', KEYS[1], KEYS[2], KEYS[3]) < 3 then redis.call('DEL', KEYS[1], KEYS[2], KEYS[3]) end

local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function drop(name)
  local size = redis.call('HSTRLEN', KEYS[1], name)
  redis.call('ZREM', KEYS[2], name)
  if redis.call('HDEL', KEYS[1], name) == 1 then redis.call('DECRBY', KEYS[3], size + #name + ENTRY_BYTES) end
end

local function live(name)
  local ends = tonumber(redis.call('ZSCORE', KEYS[2], name))
  if not ends then return false end
  if ends <= now_ms() then
    drop(name)
    return false
  end
  return redis.call('HGET', KEYS[1], name)
end

-- Answers how many had to go that were not over.
local function keep(name, bytes, ttl_ms, most)
  drop(name)
  local now = now_ms()
  for _, old in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, 100)) do drop(old) end
  redis.call('HSET', KEYS[1], name, bytes)
  redis.call('ZADD', KEYS[2], now + ttl_ms, name)
  local sum = redis.call('INCRBY', KEYS[3], #bytes + #name + ENTRY_BYTES)
  local evicted = 0
  while sum > most do
    local oldest = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
    if not oldest then break end
    drop(oldest)
    evicted = evicted + 1
    sum = tonumber(redis.call('GET', KEYS[3]))
  end
  -- Nothing is left of what nobody uses any more.
  for each = 1, 3 do redis.call('PEXPIRE', KEYS[each], ttl_ms) end
  return evicted
end
