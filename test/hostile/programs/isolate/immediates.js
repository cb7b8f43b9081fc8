// How: the event loop turns for ever. Expected: time_limit.
(function again() { setImmediate(again); for (let i = 0; i < 1e6; i++); })();
