"""What bench/petsc.sh does: runs both, keeps each run as a line of JSON, and prints the table.
   petsc.py BUILD PROCESSES TURNS LIMIT SOLVERS MODELS..."""
import json
import os
import resource
import subprocess
import sys

build, processes, turns, limit, solvers = sys.argv[1:6]
solvers = solvers.split(";")
models = sys.argv[6:]
kept = f"{build}/petsc.jsonl"
agreement = 1e-8


def cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(command):
    """An object of JSON, with the CPU seconds of the command; why there is none."""
    before = cpu()
    done = subprocess.run(["timeout", "-k", "10", limit, "mpirun", "-n", processes, *command], capture_output=True,
                          text=True)
    if done.returncode in (124, 137):
        return {"failed": f"more than {limit} s"}
    if done.returncode != 0:
        return {"failed": (done.stderr.strip().splitlines() or ["?"])[0]}
    return dict(json.loads(done.stdout), command_cpu=cpu() - before)


def ours(path, apart):
    found = run([f"{build}/bin/pepa", "solve", path, "--json", "--quiet", "--explore", "symbolic", "--threads",
                 processes, *(["--no-aggregate"] if apart else [])])
    if "failed" in found:
        return found
    return {"states": found["states"], "seconds": found["seconds"]["solve"], "cpu": found["command_cpu"],
            "bytes": max(found["memory"].get("process_peak_bytes", [found["memory"]["peak_bytes"]])),
            "count": found["solver"]["iterations"], "throughput": found["throughput"]}


def petsc(path, apart, order, solver):
    found = run([f"{build}/bin/bench_petsc", path, "-explore", order, *solver.split(),
                 *(["-no-aggregate"] if apart else [])])
    if "failed" in found:
        return found
    return {"entries": found["entries"], "seconds": found["seconds"], "cpu": found["cpu_s"], "bytes": found["bytes"],
            "count": found["iterations"], "throughput": found["throughput"]}


def differ(a, b):
    """By how much throughputs differ, as a share of each."""
    return max(abs(a[action] - b[action]) / b[action] for action in b)


def measure(model, runs):
    family, size, orders = model.split(":")
    orders = dict(zip(solvers, orders.split(",") * len(solvers)))
    path = f"{build}/petsc.pepa"
    with open(path, "w") as text:
        subprocess.run(["awk", "-f", "bench/families.awk", {"counted": "clients"}.get(family, family), size],
                       stdout=text, check=True)
    for turn in range(int(turns)):
        for solver in ["", *solvers]:
            if (model, turn, solver) in runs or "failed" in runs.get((model, 0, solver), {}):
                continue
            apart = family == "clients"
            found = petsc(path, apart, orders[solver], solver) if solver else ours(path, apart)
            with open(kept, "a") as out:
                out.write(json.dumps({"model": model, "turn": turn, "solver": solver, **found}) + "\n")
            runs[model, turn, solver] = found
    os.remove(path)


def best(model, solver, runs):
    """The least time, the least CPU time and the least memory, with the rest of the first run."""
    all_runs = [run for (m, _, s), run in runs.items() if (m, s) == (model, solver)]
    answers = [run for run in all_runs if "failed" not in run]
    if not answers:
        return all_runs[0]
    return dict(answers[0], **{what: min(run[what] for run in answers) for what in ("seconds", "cpu", "bytes")})


def show(model, runs):
    """Lines of the table; whether the throughputs agree."""
    our, agree = best(model, "", runs), True
    family, size, _ = model.split(":")
    for solver in solvers:
        their = best(model, solver, runs)
        if "failed" in our or "failed" in their:
            print(f"| {family} {size} | | `{solver}` | {our.get('failed') or their['failed']} | | | | | |", flush=True)
            continue
        gap = differ(their["throughput"], our["throughput"])
        agree = agree and gap <= agreement
        print(f"| {family} {size} | {our['states']} | `{solver}`", *(f"{their[what] / our[what]:.1f}"
              for what in ("seconds", "cpu", "bytes")), their["count"], our["count"], f"{gap:.0e} |", sep=" | ", flush=True)
    return agree


runs = {}
if os.path.exists(kept):
    with open(kept) as lines:
        for line in map(json.loads, lines):
            runs[line["model"], line["turn"], line["solver"]] = line
print("| model | states | PETSc | time | CPU | memory | iterations | sweeps | throughputs differ by |")
print("|---|---|---|---|---|---|---|---|---|")
good = True
for model in models:
    measure(model, runs)
    good = show(model, runs) and good
sys.exit(0 if good else "petsc.py: throughputs differ by more than they should")
