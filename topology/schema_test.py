"""Runs `hitmark topology` as a script would: its JSON against the schema and the oracle, its exit codes.

Usage: schema_test.py HITMARK   (from this folder; needs python3-jsonschema)
"""
import copy
import csv
import json
import pathlib
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    sys.exit("schema_test: this Python has no jsonschema; install python3-jsonschema, or configure with "
             "-DHITMARK_PYTHON=/usr/bin/python3. Python: " + sys.executable)

HITMARK = sys.argv[1]
failures = []


def check(condition, what):
    if not condition:
        failures.append(what)
        print("FAILED:", what)


def hitmark(*arguments):
    return subprocess.run([HITMARK, "topology", *arguments], capture_output=True, text=True, timeout=60)


def cell(text):
    return None if text == "" else int(text) if text.isdigit() else text


schema = json.load(open("topology.schema.json"))
validator_class = jsonschema.validators.validator_for(schema)
validator_class.check_schema(schema)
validator = validator_class(schema)


def document(*arguments):
    result = hitmark(*arguments)
    check(result.returncode == 0 and result.stderr == "", f"{arguments}: {result.returncode} {result.stderr}")
    parsed = json.loads(result.stdout)
    for error in validator.iter_errors(parsed):
        check(False, f"{arguments}: {error.json_path}: {error.message}")
    return parsed


# Every capture: valid, and the facts are the row of the oracle.
rows = list(csv.DictReader(open("testdata/expected_facts.csv", newline="")))
check(len(rows) == 39, f"{len(rows)} rows in the oracle")
for row in rows:
    name = row.pop("file")
    model = row.pop("cpu_model")
    found = document("--input", f"testdata/{name}", "--json")
    check(found["facts"] == {key: cell(value) for key, value in row.items()}, f"{name}: {found['facts']}")
    check(list(found["facts"]) == list(row), f"{name}: order of the keys")
    check(found["cpu_model"] == (model or None), f"{name}: {found['cpu_model']}")
    check(len(found["cpus"]) == found["facts"]["pus"], f"{name}: number of CPUs")

# Both spellings of JSON, the host, a synthetic string, placements as asked for.
document("--json")
rome = document("--synthetic", "pack:2 [numa] l3:16(size=16777216) core:4 pu:2(indexes=core)", "--format", "json",
                "--placement", "groups:2x2@home:remote", "--placement", "S0:0-1@S1:0")
check([p["name"] for p in rome["placements"]] == ["groups:2x2@home:remote", "S0:0-1@S1:0"], "placements as asked")
check(rome["placements"][0]["groups"] == [[0, 1], [64, 65]], f"groups: {rome['placements'][0]}")
check(rome["placements"][0]["home_node"] == 1, "remote home")
check(rome["placements"][1]["cpus"] == [0, 1, 64], "likwid chain")

# The schema can fail.
def spoil(path, value):
    spoiled = copy.deepcopy(rome)
    place = spoiled
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    check(not validator.is_valid(spoiled), f"the schema accepts {path} = {value!r}")


for path, value in [(["facts", "cores"], "128"), (["facts", "cores_per_l3"], "4"), (["facts", "l3_mib"], ""),
                    (["facts", "first_core_pus"], "0/128"), (["facts", "file"], "x"), (["cpus", 0, "os"], None),
                    (["cpus", 0, "quadrant"], 4), (["placements", 0, "relation"], "near"), (["distances"], []),
                    (["placements", 0, "home"], "node"), (["inferred", "nps"], "NPS3"), (["extra"], 1)]:
    spoil(path, value)

# Text says the same, for people.
text = hitmark("--input", "testdata/ours-rome2s-nps1-offline.xml")
check(text.returncode == 0 and "offline or hidden CPUs: 5,64-67" in text.stdout and "inferred:" in text.stdout, "text")
check("cross-socket    CPUs 0,68" in text.stdout, "text: resolved placement")

# Exit codes: 2 for what was typed, 3 for what the machine or the input lacks; one sentence, no noise.
for code, *arguments in [
        (3, "--input", "testdata"), (3, "--input", "testdata/none.xml"), (3, "--input", "/dev/null"),
        (3, "--input", "testdata/expected_facts.csv"), (3, "--input", HITMARK),
        (3, "--input", "testdata/ours-vm2-one-ccx.xml", "--placement", "cross-socket"),
        (3, "--input", "testdata/ours-rome2s-nps1-offline.xml", "--placement", "5"),
        (2, "--input", "testdata/ours-vm2-one-ccx.xml", "--placement", "same-cxc"),
        (2, "--synthetic", "garbage"), (2, "--synthetic", "pack:1", "--input", "x"), (2, "--format", "xml"),
        (2, "--inptu", "x")]:
    result = hitmark(*arguments)
    lines = result.stderr.splitlines()
    check(result.returncode == code, f"{arguments}: exit {result.returncode}, not {code}")
    check(lines and lines[0].startswith("hitmark: ") and len(lines) <= 2 and result.stdout == "",
          f"{arguments}: {result.stderr}")

print("failed" if failures else "passed")
sys.exit(1 if failures else 0)
