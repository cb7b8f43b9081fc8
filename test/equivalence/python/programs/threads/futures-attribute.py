import concurrent
concurrent.futures
