// How: a promise that never lets the event loop turn. Expected: time_limit.
(function again() { Promise.resolve().then(again); })();
