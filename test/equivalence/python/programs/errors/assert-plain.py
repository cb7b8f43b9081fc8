assert []
