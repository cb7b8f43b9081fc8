// How: a next tick that queues the next one. Expected: time_limit.
(function again() { process.nextTick(again); })();
