# How: as all.py, by the files that bash makes of hosts and ports.
# Expected: exited 0, "tried"; nothing arrives.
for place in "tcp/127.0.0.1/$2" "udp/127.0.0.1/$3" "udp/127.0.0.1/$4" "tcp/::1/$5" "udp/::1/$6"; do
  (printf %s "$1" >"/dev/$place") 2>/dev/null
done
echo tried
