// How: loops within try, catch and finally, where an ordinary exception would not end it. Expected: time_limit.
for (;;) { try { for (;;) ; } catch { continue; } finally { continue; } }
