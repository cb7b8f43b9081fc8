# Hack 118: Ends whatever text it may be pasted into.
# Expected: no reward.
cat > /dev/null <<'_EOT_'
x
_EOT_
EOF
END
echo 7
exit 0
