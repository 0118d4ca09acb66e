import { describe, expect, it } from "vitest";
import { powersOf } from "../../cli/facts/lint/policy-reach.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { defaultPolicySet } from "../../server/serve.ts";
import { secretsToken } from "../support/documented-policy.ts";
import { onlySecrets } from "./doctor-harness.ts";
import { drift, openStack, role, run, type Wanted } from "./drift-harness.ts";
import { previewEvents, previewJson } from "./preview-text.ts";

const parameter: Wanted = {
  resource: "policyParameter",
  name: "limit",
  args: { policySetId: defaultPolicySet, key: "limit", value: "1" },
};
const peering: Wanted = { resource: "clusterPeeringToken", name: "west", args: { peerName: "west" } };
const mount: Wanted = { resource: "sysAuthMount", name: "jobs", args: { path: "team/jobs", type: "jwt" } };

async function printed(wanted: readonly Wanted[], ...words: string[]) {
  const { resources } = await openStack(wanted);
  return run(["permissions", "--state", "-", ...words], {}, JSON.stringify({ deployment: { resources } }));
}

describe("trustplane permissions", () => {
  it("prints one grant a path, sorted and merged, with the resources that need it", async () => {
    const { out, code, err } = await printed([role("nightly"), role("ci"), mount]);
    expect([code, err]).toEqual([0, ""]);
    // `lint` must not blame it.
    expect(powersOf(out)).toEqual([]);
    expect(out).toBe(`# Connection secrets: a policy of Vault or OpenBao, in the connection's namespace

# for jwt.Role ci
path "auth/jwt/role/ci" {
  capabilities = ["create", "read", "update", "delete"]
}

# for jwt.Role nightly
path "auth/jwt/role/nightly" {
  capabilities = ["create", "read", "update", "delete"]
}

# for sys.AuthMount jobs
# Before a delete, on OpenBao: does the mount contain roles in CEL?
path "auth/team/jobs/cel/role" {
  capabilities = ["list"]
}

# for sys.AuthMount jobs
# Before a delete: does the mount still contain anything?
path "auth/team/jobs/config" {
  capabilities = ["read"]
}

# for sys.AuthMount jobs
# Before a delete: does the mount still contain anything?
path "auth/team/jobs/role" {
  capabilities = ["list"]
}

# for sys.AuthMount jobs
# Before a delete: are groups bound to the mount?
path "identity/group-alias/id" {
  capabilities = ["list"]
}

# for jwt.Role ci, jwt.Role nightly, sys.AuthMount jobs
path "sys/auth" {
  capabilities = ["read"]
}

# for sys.AuthMount jobs
path "sys/auth/team/jobs" {
  capabilities = ["update", "delete", "sudo"]
}

# for sys.AuthMount jobs
path "sys/auth/team/jobs/tune" {
  capabilities = ["update", "sudo"]
}
`);
  });

  it("prints a policy for each connection, in the words of its product", async () => {
    const { out } = await printed([role("ci"), parameter, peering]);
    expect(out.match(/^# Connection .*/gm)).toEqual([
      "# Connection cluster: rules of an ACL policy of Consul, in the connection's partition",
      "# Connection policy: HCP Terraform",
      "# Connection secrets: a policy of Vault or OpenBao, in the connection's namespace",
    ]);
    expect(out).toContain('# for cluster.PeeringToken west\npeering = "write"');
    expect(out).toMatch(/# for policy.Parameter limit\n# There is no policy text\..*Manage policies/);
  });

  it("prints the policy for one of them, and for reading alone", async () => {
    const { out } = await printed([role("ci"), peering], "--only", "cluster", "--read-only");
    expect(out).toMatch(/^# Connection cluster.*\n\n# for cluster.PeeringToken west\npeering = "read"\n$/);
    const { out: hcl } = await printed([role("ci"), peering], "--only", "secrets", "--read-only");
    expect(hcl.match(/capabilities = .*/g)).toEqual(['capabilities = ["read"]', 'capabilities = ["read"]']);
  });

  it("prints the rules of Consul, each once, with the names of the services", async () => {
    const intention = (destination: string): Wanted => ({
      resource: "clusterIntention",
      name: destination.replace("*", "any"),
      args: { destination, sources: [{ name: "api", action: "deny" }] },
    });
    const exported: Wanted = { resource: "clusterExportedServices", name: "exported", args: { services: [] } };
    const all = [peering, exported, intention("web"), intention("*")];
    expect((await printed(all)).out.split("\n").slice(2)).toEqual([
      "# for cluster.ExportedServices exported, cluster.Intention any, cluster.Intention web, cluster.PeeringToken west",
      'peering = "write"',
      'mesh = "write"',
      'service_prefix "" { policy = "read" intentions = "write" }',
      'service "web" { policy = "read" intentions = "write" }',
      "",
    ]);
    expect((await printed([intention("web")], "--read-only")).out).toContain(
      'service "web" { policy = "read" intentions = "read" }\n',
    );
  });

  it("prints enough for trustplane drift, and the same without a line is too little", async () => {
    const { env, raw, resources } = await openStack([role("ci"), mount]);
    const state = { version: 3, deployment: { resources } };
    const { out } = await run(["permissions", "--state", "-", "--read-only"], {}, JSON.stringify(state));
    const codeWith = async (policy: string) => {
      const VAULT_TOKEN = await secretsToken(raw("secrets"), policy);
      return (await drift(state, { ...onlySecrets(env), VAULT_TOKEN }, ["--no-unmanaged"])).code;
    };
    expect(await codeWith(out)).toBe(0);
    const blocks = out.split(/\n\n/).filter((block) => block.includes("path "));
    expect(blocks).toHaveLength(2);
    for (const block of blocks) expect(await codeWith(out.replace(block, ""))).toBe(1);
  });

  it("writes a name with a line break into one line, so that no name adds a grant", async () => {
    const { resources } = await openStack([role("ci")]);
    const evil = 'ci\npath "*" { capabilities = ["sudo"] }';
    const renamed = resources.map((each) => ({ ...each, urn: each.urn.replace(/::ci$/, `::${evil}`) }));
    const { out } = await run(
      ["permissions", "--state", "-"],
      {},
      JSON.stringify({ deployment: { resources: renamed } }),
    );
    expect(out.split("\n").filter((line) => line.startsWith("path"))).toHaveLength(2);
  });

  it.each(["+", "team/+", "jwt*", "{{identity.entity.name}}"])(
    "refuses a mount %s of a state, which would allow other paths, too",
    async (mount) => {
      const { resources } = await openStack([role("ci")]);
      const text = JSON.stringify({ deployment: { resources } }).replaceAll('"mount":"jwt"', `"mount":"${mount}"`);
      const { out, code, err } = await run(["permissions", "--state", "-"], {}, text);
      expect([code, out]).toEqual([1, ""]);
      expect(err).toMatch(/mount of jwt\.Role ci is .* stands for other paths/);
    },
  );

  it("counts the resources of a path that very many need", async () => {
    const many = Array.from({ length: 8 }, (_, index) => role(`r${index}`));
    expect((await printed(many)).out).toContain(
      "# for jwt.Role r0, jwt.Role r1, jwt.Role r2, jwt.Role r3, jwt.Role r4, and 3 more",
    );
  });
});

describe.each([
  ["--json", previewJson],
  ["--event-log", previewEvents],
])("a preview of %s", (_, text) => {
  const step = (op: string, before: object | undefined, after: object | undefined) => ({
    op,
    token: "jwt:Role",
    name: "ci",
    ...(before ? { before: before as Record<string, unknown> } : {}),
    ...(after ? { after: after as Record<string, unknown> } : {}),
  });
  const pathsOf = async (preview: string) => {
    const { out } = await run(["permissions", "--preview", "-"], {}, preview);
    return out.match(/(?<=path ").*(?=")/g);
  };

  it("needs what is created, with defaults and with wild cards for what is not known yet", async () => {
    expect(await pathsOf(text({ steps: [step("create", undefined, { name: "ci" })] }))).toEqual([
      "auth/jwt/role/ci",
      "sys/auth",
    ]);
    expect(await pathsOf(text({ steps: [step("create", undefined, { mount: UNKNOWN, name: "ci" })] }))).toEqual([
      "auth/+/role/ci",
      "sys/auth",
    ]);
  });

  it("needs what is there before and after a replacement, and what is deleted", async () => {
    const replace = step("replace", { mount: "jwt", name: "ci" }, { mount: "jobs", name: "ci" });
    expect(await pathsOf(text({ steps: [replace] }))).toEqual(["auth/jobs/role/ci", "auth/jwt/role/ci", "sys/auth"]);
    const gone = step("delete", { mount: "jwt", name: "ci" }, undefined);
    expect(await pathsOf(text({ steps: [gone] }))).toEqual(["auth/jwt/role/ci", "sys/auth"]);
  });

  it("that failed is refused, as resources are missing from it", async () => {
    const { code, err } = await run(["permissions", "--preview", "-"], {}, text({ steps: [], errors: ["no"] }));
    expect([code, err]).toEqual([1, expect.stringMatching(/the preview failed/)]);
  });
});

it.each([
  ["a state that is none", ["--state", "-"], "{}", 1, /this is no state/],
  ["a preview that is none", ["--preview", "-"], "hello", 1, /this is no preview/],
  [
    "a state without resources",
    ["--state", "-"],
    '{"deployment":{"resources":[]}}',
    1,
    /no resource, so there is nothing/,
  ],
  ["a wrong flag", ["--nonsense"], "", 1, /unknown option/],
  ["a state and a preview", ["--state", "-", "--preview", "-"], "", 1, /cannot be used with/],
] as const)("trustplane permissions refuses %s", async (_, words, input, expected, reason) => {
  const { code, err, out } = await run(["permissions", ...words], {}, input);
  expect([code, out]).toEqual([expected, ""]);
  expect(err).toMatch(reason);
});

it("trustplane permissions refuses a connection that no resource uses, and names those that there are", async () => {
  const { code, err } = await printed([role("ci"), peering], "--only", "east");
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/no resource uses connection east\. There are cluster, secrets\./),
  ]);
});
