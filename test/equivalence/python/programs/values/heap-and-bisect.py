import heapq, bisect
h = [5, 3, 1]; heapq.heapify(h); heapq.heappush(h, 0)
print(h, heapq.merge([1, 3], [2]), bisect.bisect([1, 2, 3], 2), heapq.heappushpop(h, 2))
