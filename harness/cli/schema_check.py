"""What `hitmark list` and a short `hitmark run` print as JSON, against the schemas that are shipped.

Usage: schema_check.py HITMARK LIST_SCHEMA RUN_SCHEMA. Exit 77 (skipped) without the module jsonschema.
"""
import copy
import json
import os
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("the module jsonschema is missing: apt install python3-jsonschema")
    sys.exit(77)

HITMARK, LIST_SCHEMA, RUN_SCHEMA = sys.argv[1:]


def hitmark(*arguments):
    done = subprocess.run([HITMARK, *arguments], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def validator(path):
    with open(path, encoding="utf-8") as file:
        schema = json.load(file)
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


check_list, check_run = validator(LIST_SCHEMA), validator(RUN_SCHEMA)
everything = hitmark("list", "--json")
check_list.validate(everything)
for topic, content in everything.items():
    assert hitmark("list", topic, "--json") == content, topic
    if content:  # the schema must be able to say no
        broken = copy.deepcopy(everything)
        del broken[topic][0]["name"]
        assert not check_list.is_valid(broken), f"the schema takes {topic} without a name"

with tempfile.TemporaryDirectory() as folder:
    run = hitmark("run", "sock-charge", "--variants", "packed6", "--placements", "single", "--set", "refill=drain",
                  "--invocations", "2", "--budget", "2s", "--json", "--store", os.path.join(folder, "results.db"))
    simulated = hitmark("run", "sock-charge", "--machine", "rome-2s", "--variants", "packed6", "--placements",
                        "cross-socket", "--set", "refill=drain", "--invocations", "2", "--json", "--store",
                        os.path.join(folder, "results.db"))
check_run.validate(run)
check_run.validate(simulated)
assert simulated["simulated"] and not run["simulated"]
assert any(r["field"] for r in simulated["conditions"][0]["readings"]), "nothing is told by field"
print("list and run follow their schemas")
