def limit():
    low, high = 1, 200000
    while low + 1 < high:
        mid = (low + high) // 2
        try:
            compile('x' + '.a' * mid, 'f', 'eval')
            low = mid
        except RecursionError:
            high = mid
    return low
print(limit())
