# Starts sleepers until it is refused, and goes on. Bash itself would wait for seconds after a refusal and try again; a
# signal ends that wait, and then the shell gives up with exit code 254. Expected: runtime_error.
trap : USR1
(while kill -USR1 $$; do :; done) 2> /dev/null &
while :; do sleep 1000 & done
