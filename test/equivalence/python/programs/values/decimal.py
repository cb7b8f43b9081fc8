import decimal
from decimal import Decimal, getcontext
print(getcontext(), decimal.DefaultContext)
getcontext().prec = 50
print(Decimal(1) / Decimal(7), Decimal(2).sqrt(), getcontext().flags[decimal.Inexact])
