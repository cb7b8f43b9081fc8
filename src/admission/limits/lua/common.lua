-- What the transitions share: Redis' own clock and buckets that fill at a constant rate (bucket.ts).
local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + time[2] / 1000
end

-- An argument that is a number, or 'none'.
local function number_or_nil(text)
  if text == 'none' then return nil end
  return tonumber(text)
end

-- A bucket that nobody has used is full; a clock that goes back fills nothing.
local function filled(key, name, capacity, per_ms, now)
  local level = tonumber(redis.call('HGET', key, name))
  local at = tonumber(redis.call('HGET', key, name .. '_at'))
  if not level or not at then return capacity end
  return math.min(capacity, level + math.max(0, now - at) * per_ms)
end

local function exact(number)
  return string.format('%.17g', number)
end

local function store(key, name, level, now)
  redis.call('HSET', key, name, exact(level), name .. '_at', exact(now))
end

-- Nothing is kept longer than it says anything: a bucket that is full again is as one that was never used.
local function keep_for(key, ms)
  local wanted = math.ceil(ms) + 1000
  if redis.call('PTTL', key) < wanted then redis.call('PEXPIRE', key, exact(wanted)) end
end

local function ms_until(level, wanted, per_ms)
  if level >= wanted then return 0 end
  return math.ceil((wanted - level) / per_ms)
end
