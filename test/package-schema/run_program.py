"""Runs the program in a file, or in the files of a folder, without an engine: prints what it registers, as JSON."""

import json
import os
import runpy
import sys

import pulumi

seen = []


class Mocks(pulumi.runtime.Mocks):
    def new_resource(self, args):
        seen.append({"type": args.typ, "name": args.name, "inputs": args.inputs})
        return [args.name, args.inputs]

    def call(self, args):
        return {}


_, path, configuration = sys.argv
pulumi.runtime.set_mocks(Mocks(), project="trust")
pulumi.runtime.set_all_config(json.loads(configuration))
sys.path.insert(0, os.path.dirname(path))


@pulumi.runtime.test
def program():
    runpy.run_path(path)


program()
print(json.dumps(seen))
