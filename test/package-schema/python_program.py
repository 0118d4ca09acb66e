"""A program with the Python SDK, run without an engine: prints what it registers and calls, as JSON."""

import json

import pulumi

seen = []


class Mocks(pulumi.runtime.Mocks):
    def new_resource(self, args):
        seen.append({"type": args.typ, "inputs": args.inputs})
        return [args.name, args.inputs]

    def call(self, args):
        seen.append({"function": args.token, "args": args.args})
        return {"mount": "jobs", "names": ["ci"]}


pulumi.runtime.set_mocks(Mocks())

from trustplane import Provider, SecretsConnectionArgs, cloud, jwt, policy  # noqa: E402


@pulumi.runtime.test
def program():
    jwt.Config("jobs", jwks_pairs=[jwt.JwksPairArgs(jwks_url="https://keys.example.com")])
    role = jwt.Role(
        "ci",
        name="ci",
        role_type=jwt.RoleType.JWT,
        user_claim="sub",
        bound_claims={"project": ["a", "b"], "protected": True},
        token_ttl="15m",
    )
    cloud.RootConfig("cloud", access_key="id", secret_key="key")
    policy.Parameter("regions", policy_set_id="polset-demo000000000001", key="regions", value="eu", sensitive=True)
    Provider("east", secrets=SecretsConnectionArgs(address="http://127.0.0.1:8200"))
    names = jwt.get_roles_output(mount="jobs").names

    def check(values):
        assert values[0] == "ci" and values[1] == ["ci"], values

    return pulumi.Output.all(role.name, names).apply(check)


program()
print(json.dumps(sorted(seen, key=lambda each: each.get("type", each.get("function")))))
