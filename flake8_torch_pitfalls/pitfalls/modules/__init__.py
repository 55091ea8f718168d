"""TP2: modules, modes and losses."""
