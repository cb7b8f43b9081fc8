echo YES
