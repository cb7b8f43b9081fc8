/** The one transition of a job in Redis that has to be a whole: an item's result is kept, once, and counted. */

/**
 * KEYS: 1 the job's facts, 2 lines that have a result (bits), 3 results, 4 the tenant's running jobs, 5 bytes of all jobs, 6 of the tenant's.
 * ARGV: 1 id of the job, 2 line, 3 kind of the result, 4 its JSON, 5 bytes of that, 6 now (ms).
 * Answers 1 where it was kept; 0 where the job does not run or the line has one.
 */
export const KEEP_RESULT = `
if redis.call('HGET', KEYS[1], 'state') ~= 'running' then return 0 end
if redis.call('SETBIT', KEYS[2], ARGV[2], 1) == 1 then return 0 end
redis.call('RPUSH', KEYS[3], ARGV[4])
redis.call('HINCRBY', KEYS[1], 'size', ARGV[5])
redis.call('INCRBY', KEYS[5], ARGV[5])
redis.call('INCRBY', KEYS[6], ARGV[5])
if ARGV[3] ~= 'failed' then redis.call('HINCRBY', KEYS[1], ARGV[3], 1) end
local done = redis.call('HINCRBY', KEYS[1], 'done', 1)
if done == tonumber(redis.call('HGET', KEYS[1], 'total')) then
  redis.call('HSET', KEYS[1], 'state', 'done', 'ended', ARGV[6])
  redis.call('SREM', KEYS[4], ARGV[1])
end
return 1
`;
