"""Methods on tables that no process holds: an engine counts, tasks decide what lies below the top of a tree.

A method that divides rows from the top down decides the top of its tree from counters alone: how many rows of
each open node have which codes. As soon as nodes are small enough, each of them is decided to the end in a
task that has its rows and no others. The result is the one of the whole table, not an approximation.
"""
