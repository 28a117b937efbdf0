"""The machine files against machine.schema.json, which must also be able to say no. Run in this folder.

Exit 77 (skipped) without the module jsonschema.
"""
import copy
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("the module jsonschema is missing: apt install python3-jsonschema")
    sys.exit(77)

schema = json.loads(pathlib.Path("machine.schema.json").read_text(encoding="utf-8"))
kind = jsonschema.validators.validator_for(schema)
kind.check_schema(schema)
validator = kind(schema)

files = sorted(pathlib.Path("machines").glob("*.json"))
assert len(files) >= 6, files
for file in files:
    machine = json.loads(file.read_text(encoding="utf-8"))
    validator.validate(machine)
    assert machine["name"] == file.stem, file

rome = json.loads(pathlib.Path("machines/rome-2s.json").read_text(encoding="utf-8"))
for path, value in [
    (["name"], "Rome 2S"),
    (["based_on"], 3),
    (["extra"], {}),
    (["structure", "sockets", "value"], 3),
    (["structure", "sockets", "value"], 1.5),
    (["structure", "sockets", "unit"], "ns"),
    (["path", "d_across", "unit"], "us"),
    (["path", "d_across", "source"], ""),
    (["path", "r", "value"], [0, 4, 10]),
    (["path", "q"], {"value": 1, "source": "x"}),
    (["protocol", "precise", "value"], "yes"),
    (["l1", "replacement", "value"], "random"),
]:
    broken = copy.deepcopy(rome)
    place = broken
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    assert not validator.is_valid(broken), (path, value)
for section in ("structure", "path", "l3"):
    broken = copy.deepcopy(rome)
    broken[section].popitem()
    assert not validator.is_valid(broken), section
    del broken[section]
    assert not validator.is_valid(broken), section
    broken["based_on"] = "rome-2s"
    validator.validate(broken)
print(len(files), "machine files follow the schema")
