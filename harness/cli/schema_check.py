"""What `hitmark list`, `hitmark power` and a short `hitmark run` print as JSON, against the schemas that are shipped.

Usage: schema_check.py HITMARK LIST_SCHEMA RUN_SCHEMA POWER_SCHEMA. Exit 77 (skipped) without the module jsonschema.
"""
import copy
import os
import sys
import tempfile

from schema_tools import printed_json, validator

HITMARK, LIST_SCHEMA, RUN_SCHEMA, POWER_SCHEMA = sys.argv[1:]


def hitmark(*arguments):
    return printed_json(HITMARK, *arguments)


check_list, check_run = validator(LIST_SCHEMA), validator(RUN_SCHEMA)
everything = hitmark("list", "--json")
check_list.validate(everything)
for topic, content in everything.items():
    assert hitmark("list", topic, "--json") == content, topic
    if content:  # the schema must be able to say no
        broken = copy.deepcopy(everything)
        del broken[topic][0]["name"]
        assert not check_list.is_valid(broken), f"the schema takes {topic} without a name"

check_power = validator(POWER_SCHEMA)
for arguments in (["--noise", "2%"], ["--noise", "106%", "--runs", "1", "--effect", "-86%"],
                  ["--noise", "1e-3", "--effect", "0", "--paired", "--runs", "1000000"]):
    answer = hitmark("power", "--json", *arguments)
    check_power.validate(answer)
    del answer["cases"][0]["noise"]
    assert not check_power.is_valid(answer), "the schema takes an answer without its noise"

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
print("list, power and run follow their schemas")
