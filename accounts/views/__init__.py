"""Pages of companies and their people."""
