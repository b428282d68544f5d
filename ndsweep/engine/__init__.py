"""Kernels that trust their input, one idea a file."""
