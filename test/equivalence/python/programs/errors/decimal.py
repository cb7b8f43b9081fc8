from decimal import Decimal
Decimal('x')
