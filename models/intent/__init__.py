"""The intent model (LittleMu 3.2.1): labelled questions, baselines, ALBERT, its export and its use."""
