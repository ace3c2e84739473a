"""Links that authors need not write: to CUDA's documentation, the error reference and the glossary."""
