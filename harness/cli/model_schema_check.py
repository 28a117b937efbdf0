"""What `hitmark validate-model`, `hitmark calibrate` and `hitmark topology latency` print as JSON, against the schemas that are shipped.

Usage: model_schema_check.py HITMARK FOLDER_OF_SCHEMAS. Exit 77 (skipped) without the module jsonschema.
"""
import copy
import json
import os
import sys
import tempfile

from schema_tools import printed_json, validator

HITMARK, FOLDER = sys.argv[1:]


def hitmark(*arguments, code=0):
    return printed_json(HITMARK, *arguments, code=code)


def spoil(check, document, path, value):
    broken = copy.deepcopy(document)
    place = broken
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    assert not check.is_valid(broken), (path, value)


check_model = validator(os.path.join(FOLDER, "validate-model.schema.json"))
check_latency = validator(os.path.join(FOLDER, "latency.schema.json"))
model = hitmark("validate-model", "--machine", "rome-1s", "--json")
check_model.validate(model)
spoil(check_model, model, ["checks", 0, "basis"], "guessed")
spoil(check_model, model, ["checks", 0, "values", 0, "simulated"], None)

with tempfile.TemporaryDirectory() as folder:
    stored = os.path.join(folder, "latency.json")
    latency = hitmark("topology", "latency", "--machine", "rome-2s-7302@nps4", "--pairs", "1", "--cas", "--json",
                      "--output", stored)
    with open(stored, encoding="utf-8") as file:
        assert json.load(file) == latency, "what is stored is what is printed"
    check_latency.validate(latency)
    classes = {(c["relation"], c["home_relation"]): c["mean_ns"] for c in latency["surveys"][0]["classes"]}
    assert classes["same-ccx", "own node"] < classes["same-quadrant", "own node"] < classes["cross-quadrant", "own node"]
    assert classes["cross-quadrant", "own socket"] < classes["cross-quadrant", "other socket"]
    spoil(check_latency, latency, ["surveys", 0, "kind"], "cas")
    spoil(check_latency, latency, ["surveys", 0, "cells", 0, "ns"], "25")
    spoil(check_latency, latency, ["quality"], "guessed")

    mine = os.path.join(folder, "mine.json")
    with open(mine, "w", encoding="utf-8") as file:
        json.dump({"name": "mine", "title": "a wrong 7702", "based_on": "rome-2s-7702",
                   "path": {"d_across": {"value": 30, "unit": "ns", "source": "a slip"}}}, file)
    missed = hitmark("validate-model", "--machine", mine, "--against", "rome-2s-7702", "--json", code=1)
    check_model.validate(missed)
    assert not missed["passed"] and missed["checks"][0]["basis"] == "stated" and missed["note"] == ""
    alone = hitmark("validate-model", "--machine", mine, "--json")
    check_model.validate(alone)
    assert alone["passed"] and "--against takes rome-2s-7742" in alone["note"]

    small = os.path.join(folder, "small.json")
    with open(small, "w", encoding="utf-8") as file:
        json.dump({"name": "small", "title": "two CCXs of a Rome", "based_on": "rome-1s",
                   "structure": {"quadrants": {"value": 1, "source": "made up"},
                                 "ccxs_per_quadrant": {"value": 2, "source": "made up"}}}, file)
    stored = os.path.join(folder, "calibration.json")
    calibration = hitmark("calibrate", "--machine", small, "--no-sensitivity", "--most-pressure", "8",
                          "--json", "--output", stored, code=1)
    with open(stored, encoding="utf-8") as file:
        assert json.load(file) == calibration, "what is stored is what is printed"
    check_calibration = validator(os.path.join(FOLDER, "calibrate.schema.json"))
    check_calibration.validate(calibration)
    assert calibration["cpus"] == 16 and not calibration["holds"]
    spoil(check_calibration, calibration, ["scenario_a", "before", "charge"], None)
    spoil(check_calibration, calibration, ["scenario_a", "steady_fit", "reached"], "no")
    spoil(check_calibration, calibration, ["phases_before", "flush", "late"], 1.5)
    spoil(check_calibration, calibration, ["quality"], "guessed")
print("validate-model, calibrate and topology latency follow their schemas")
