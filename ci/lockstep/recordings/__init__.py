"""What programs printed and measured, and whether it is still true."""
