"""What a site with an address has, and the files that readers take away."""
