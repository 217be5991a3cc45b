"""compare.py ALONE TOGETHER PROCESSES: two reports of pepa --json have the same numbers, to a
relative 1e-9; with --shared, TOGETHER was really solved by so many processes."""
import json
import math
import sys


def numbers(value, path=""):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from numbers(inner, f"{path}/{key}")
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from numbers(inner, f"{path}/{i}")
    elif isinstance(value, (int, float)):
        yield path, value


def main(alone, together, processes, shared):
    with open(alone) as one, open(together) as other:
        a, b = json.load(one), json.load(other)
    wrong = [f"{key} differs" for key in ("states", "transitions") if a[key] != b[key]]
    for key in ("throughput", "utilisation", "population", "measures", "ends", "mean", "variance", "cdf", "pdf", "quantiles"):
        left, right = dict(numbers(a.get(key, {}))), dict(numbers(b.get(key, {})))
        if left.keys() != right.keys():
            wrong.append(f"{key} has other names")
            continue
        most = max([abs(x) for x in left.values() if math.isfinite(x)], default=0)
        for name, x in left.items():
            if not abs(x - right[name]) <= 1e-9 * max(abs(x), 1e-6 * most):
                wrong.append(f"{key}{name}: {right[name]!r}, not {x!r}")
    ends = [sorted((round(end["probability"], 9), end["states"]) for end in report.get("ends_in", [])) for report in (a, b)]
    if a.get("bottom_components") != b.get("bottom_components") or ends[0] != ends[1]:
        wrong.append(f"it ends in {ends[1]}, not {ends[0]}")
    if b.get("processes", 1) != processes:
        wrong.append(f"started as {b.get('processes', 1)} processes, not {processes}")
    if shared and not b.get("shared", processes == 1):
        wrong.append("solved by one of the processes")
    if "processes" in b and len(b["memory"]["process_peak_bytes"]) != b["processes"]:
        wrong.append("a process has no peak of memory")
    return wrong


if __name__ == "__main__":
    found = main(sys.argv[1], sys.argv[2], int(sys.argv[3]), "--shared" in sys.argv)
    print("\n".join(found), end="\n" if found else "")
    sys.exit(bool(found))
