# Prints the PTX in a module that --op2-to-gpu made, line by line.

import re
import sys


def unescape(match):
    code = match.group(1)
    return chr(int(code, 16)) if len(code) == 2 else code


module = sys.stdin.read()
image = re.search(r'@__op2_image_\w+_data\("((?:[^"\\]|\\.)*)"', module)
if not image:
    sys.exit("no device image")
print(re.sub(r"\\([0-9A-F]{2}|.)", unescape, image.group(1)).rstrip("\0"))
