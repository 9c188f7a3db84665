"""Statistics that models and evaluation share: intervals, paired tests, bootstrap, calibration with a risk
guarantee."""
