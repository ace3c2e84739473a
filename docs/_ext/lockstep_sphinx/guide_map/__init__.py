"""Where the site covers each section of the CUDA Programming Guide."""
