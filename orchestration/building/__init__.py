"""What has to be built again, and how a build runs: versions of inputs, planning, the lock of a home."""
