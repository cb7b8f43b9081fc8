import heapq
heapq.heappop([])
