import sys
sys.set_int_max_str_digits(0)
print(len(str(10 ** 5000)))
