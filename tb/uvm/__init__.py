"""pyuvm components; they run inside the simulator."""
