"""Fails unless the share of vectorized loops in a report is large enough."""
import re
import sys

report, least = open(sys.argv[1], encoding="utf-8").read(), float(sys.argv[2])
vectorized = len(re.findall(r"': vectorized across", report))
scalar = len(re.findall(r"': not vectorized", report))
print(f"{vectorized} of {vectorized + scalar} loops are vectorized")
sys.exit(vectorized == 0 or vectorized < least * (vectorized + scalar))
