"""The testplan: which test, property and cover point shows each clause of the contract."""
