"""Figures drawn by code beside their pages."""
