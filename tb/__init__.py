"""The verification environment: pyuvm on cocotb, the simulator runner, the tests."""
