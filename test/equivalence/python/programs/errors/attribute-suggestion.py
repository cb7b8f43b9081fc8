class A:
    blech = 1
A().bluch
