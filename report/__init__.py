"""Reads results.txt, holds it against the published numbers, and writes the report.

The package needs nothing but the standard library; only build.py wants Jinja2 and only
plot_results.py wants matplotlib, and both say so when it is missing.
"""
