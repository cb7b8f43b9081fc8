print("YES")
