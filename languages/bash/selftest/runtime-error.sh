# Prints the right answer and then fails. Expected: runtime_error (exit code 3).
read -r a b
echo $((a + b))
exit 3
