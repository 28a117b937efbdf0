"""What the checks of JSON against shipped schemas share. Exits with 77 (skipped) without the module jsonschema."""
import json
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("the module jsonschema is missing: apt install python3-jsonschema")
    sys.exit(77)


def printed_json(program, *arguments, code=0):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=100)
    assert done.returncode == code, (arguments, done.returncode, done.stderr)
    return json.loads(done.stdout)


def validator(path):
    with open(path, encoding="utf-8") as file:
        schema = json.load(file)
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)
