"""Validates JSON documents against a schema: validate_schema.py SCHEMA [--check-schema-can-fail] FILE...

With --check-schema-can-fail every document is also broken in several ways, each of which must be refused.
Exit 77 (skipped) when the module jsonschema is missing (Debian: python3-jsonschema).
"""
import copy
import json
import sys

try:
    import jsonschema
except ImportError:
    print("the module jsonschema is missing: apt install python3-jsonschema")
    sys.exit(77)


def no_constant(name):
    raise ValueError(f"{name} is no JSON")


def set_at(path, value):
    def change(document):
        for key in path[:-1]:
            document = document[key]
        document[path[-1]]  # must exist, else this breaks nothing
        document[path[-1]] = value
    return change


def drop(*path):
    def change(document):
        for key in path[:-1]:
            document = document[key]
        del document[path[-1]]
    return change


BREAKS = {
    "run_id missing": drop("run_id"),
    "unknown status": set_at(["status"], "done"),
    "unknown key": lambda d: d.update(surprise=1),
    "verdict misspelt": set_at(["conditions", 0, "contrasts", 0, "verdict"], "beter"),
    "ratio missing": drop("conditions", 0, "contrasts", 0, "ratio"),
    "interval without value": set_at(["conditions", 0, "contrasts", 0, "ratio", "value"], None),
    "0 for an unavailable reading": set_at(["readings", 0, "value"], 0),
    "counted without a value": set_at(["readings", 0, "quality"], "exact"),
    "negative noise floor": set_at(["conditions", 0, "noise_floor"], -1),
    "text as a CPU": set_at(["conditions", 0, "cpus"], ["2"]),
}


def main():
    schema_path, *paths = sys.argv[1:]
    can_fail = "--check-schema-can-fail" in paths
    with open(schema_path) as file:
        schema = json.load(file)
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    validator = kind(schema)
    failures = []
    broken = 0
    for path in (p for p in paths if not p.startswith("--")):
        with open(path) as file:
            document = json.load(file, parse_constant=no_constant)
        failures += [f"{path}: {error.json_path}: {error.message}" for error in validator.iter_errors(document)]
        if not can_fail:
            continue
        for name, change in BREAKS.items():
            changed = copy.deepcopy(document)
            try:
                change(changed)
            except (KeyError, IndexError):
                continue  # this document has no such part
            broken += 1
            if validator.is_valid(changed):
                failures.append(f"{path}: the schema accepts a document with: {name}")
    if can_fail and broken < len(BREAKS):
        failures.append(f"only {broken} broken documents were tried")
    print("\n".join(failures) or f"valid; {broken} broken documents refused")
    return 1 if failures else 0


sys.exit(main())
