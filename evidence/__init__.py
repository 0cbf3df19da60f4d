"""What the papers published, measured again with kanopy; run it with ``python -m evidence``."""
