"""each_error.py PROGRAM SOURCE: runs PROGRAM once for each line "EACH word: text"
in SOURCE, with the word; it must end with status 1 and that text in its error.
{{...}} is a regular expression.
"""

import re
import subprocess
import sys

program, source = sys.argv[1:]
cases = re.findall(r"(?m)^\s*! EACH (\w+): (.*)$", open(source).read())
if len(cases) < 30:
    sys.exit(f"{len(cases)} cases in {source}")
failed = False
for word, text in cases:
    run = subprocess.run([program, word], capture_output=True, text=True)
    parts = re.split(r"\{\{(.*?)\}\}", "op2 error: " + text)
    pattern = "".join(p if n % 2 else re.escape(p) for n, p in enumerate(parts))
    if run.returncode != 1 or not re.search(pattern, run.stderr):
        failed = True
        print(f"{word}: status {run.returncode}, expected 1 and: {text}\n{run.stderr}")
sys.exit(failed)
