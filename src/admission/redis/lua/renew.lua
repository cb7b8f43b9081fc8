-- KEYS: 4 the lease. ARGV: 1 token, 2 how long it holds (ms). A lease that is somebody else's stays theirs.
if redis.call('HGET', KEYS[4], 'token') == ARGV[1] then redis.call('PEXPIRE', KEYS[4], ARGV[2]) end
return 1
