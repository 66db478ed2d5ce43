"""What is done to members and groups of a tenant."""
