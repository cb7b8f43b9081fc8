# Doubles a string until the limit. Expected: memory_limit.
text=xxxxxxxxxxxxxxxx
while :; do text+=$text; done
