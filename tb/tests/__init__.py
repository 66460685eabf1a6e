"""pyuvm tests, one module each, and the pytest wrapper that runs them in a simulator."""
