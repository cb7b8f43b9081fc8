# Reads two integers and prints their sum. Expected: accepted; a program that prints nothing is not.
read -r a b
echo $((a + b))
