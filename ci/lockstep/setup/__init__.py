"""What the project brings to a machine that lacks it; standard library only."""
