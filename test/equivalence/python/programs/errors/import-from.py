from collections import nothing
