"""The pages of programs' whole sources, and the files beside them."""
