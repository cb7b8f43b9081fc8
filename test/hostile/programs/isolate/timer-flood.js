// How: a hundred thousand timers and intervals. Expected: time_limit.
for (let i = 0; i < 1e5; i++) setInterval(() => {}, 1);
