"""Checks a file of OP2_TRACE against the Trace Event Format, and counts events.

read_trace.py FILE

https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
("JSON Object Format", "Complete Events", "Metadata Events"). Events of a thread
must be apart, or one in the other, or viewers draw them wrong.
"""

import collections
import json
import sys


def require(condition, event):
    if not condition:
        sys.exit(f"wrong event: {event}")


def check_nesting(spans):
    ends = []
    for event in sorted(spans, key=lambda e: (e["ts"], -e["dur"])):
        begin, end = event["ts"], event["ts"] + event["dur"]
        while ends and ends[-1] <= begin + 0.002:  # times have three digits
            ends.pop()
        require(not ends or end <= ends[-1] + 0.002, event)
        ends.append(end)


def main(path):
    with open(path, encoding="utf-8") as file:
        trace = json.load(file)
    threads, counts = collections.defaultdict(list), collections.Counter()
    for event in trace["traceEvents"]:
        require(isinstance(event["name"], str), event)
        require(isinstance(event["pid"], int), event)
        require(isinstance(event["tid"], int), event)
        if event["ph"] == "M":
            require(event["name"] in ("process_name", "thread_name"), event)
            require(isinstance(event["args"]["name"], str), event)
            continue
        require(event["ph"] == "X" and event["cat"], event)
        require(event["ts"] >= 0 and event["dur"] >= 0, event)
        threads[event["pid"], event["tid"]].append(event)
        counts[event["cat"], event["name"]] += 1
    for spans in threads.values():
        check_nesting(spans)
    ranks = {rank for rank, _ in threads}
    print(f"{len(ranks)} ranks, {len(threads)} threads")
    for (category, name), count in sorted(counts.items()):
        print(f"{category}: {name}: {count}")


main(sys.argv[1])
