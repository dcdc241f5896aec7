"""heddle cc: a compiler launcher that knows taskgraph and task_iteration of OpenMP 6.0, and taskwait with detach.

Directive lines are rewritten, everything else is the compiler's. Only the standard library is used, so that builds can
start it with any Python: python3 -P tools/heddle/cc/__main__.py gcc -c x.c
"""
