import imp
import asyncore
print('imported')
