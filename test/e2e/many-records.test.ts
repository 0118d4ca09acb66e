import { describe, expect, onTestFinished, test } from "vitest";
import { startEmbedded } from "../support/contract-servers-embedded.ts";
import type { ContractServers } from "../support/servers-under-test.ts";
import { applied, NO_CHANGES, planned, terraformOptions, vault } from "../support/terraform-life.ts";
import { createTerraformSandbox } from "../support/terraform-sandbox.ts";
import { watch } from "./watched-servers.ts";

const PARALLEL = "-parallelism=10";
/** Who the server is and what is mounted there, for each process of the provider, and what there is in the mount. */
const MOST_BESIDES = 7;

/** Requests for each role, by method: those about the role itself, in the plan that an apply makes first, too. */
const REQUESTS = {
  "no-op plan": { GET: 1 },
  change: { GET: 3, POST: 1 },
  destroy: { GET: 3, DELETE: 1 },
};

const shapes = [
  {
    what: "a resource for each of many roles",
    // Terraform writes its whole state after each of them: a thousand take a quarter of an hour beside other work. They were run by hand.
    count: 200,
    program: (count: number, ttl: string) => `resource "trustplane_jwt_role" "all" {
      for_each      = toset([for at in range(${count}) : tostring(at)])
      name          = "role-\${each.key}"
      role_type     = "jwt"
      user_claim    = "sub"
      bound_subject = each.key
      token_ttl     = "${ttl}"
    }`,
    resources: 200,
    requests: { ...REQUESTS, apply: { GET: 2, POST: 1 } },
  },
  {
    what: "a set of many roles",
    count: 1_000,
    program: (count: number, ttl: string) => `resource "trustplane_jwt_role_set" "all" {
      mount    = "jwt"
      defaults = { role_type = "jwt", user_claim = "sub", token_ttl = "${ttl}" }
      roles    = { for at in range(${count}) : "role-\${at}" => { bound_subject = tostring(at) } }
    }`,
    resources: 1,
    // A list says which of them are there already.
    requests: { ...REQUESTS, apply: { GET: 1, POST: 1 } },
  },
];

describe.each(shapes)("a module with $what", { ...terraformOptions, timeout: 600_000 }, (shape) => {
  test("is applied, has nothing to do then, changes everywhere and goes away", async () => {
    const { count, program, resources, requests } = shape;
    const servers = await startEmbedded();
    onTestFinished(() => servers.close());
    const { env, traffic, close } = await watch({ secrets: servers.secrets });
    onTestFinished(close);
    const cli = await createTerraformSandbox(env);
    const sent = () => {
      const counted = forEachRole(traffic.seen(), count);
      traffic.forget();
      return counted;
    };

    cli.writeModuleAlone("roles", program(count, "1h"));
    expect(await applied(cli, PARALLEL)).toContain(`${resources} added, 0 changed, 0 destroyed`);
    expect(sent()).toEqual(requests.apply);
    expect(await storedTtls(servers)).toEqual(Array(count).fill(3_600));

    expect(await planned(cli, PARALLEL)).toContain(NO_CHANGES);
    expect(sent()).toEqual(requests["no-op plan"]);

    cli.writeModuleAlone("roles", program(count, "2h"));
    expect(await applied(cli, PARALLEL)).toContain(`0 added, ${resources} changed, 0 destroyed`);
    expect(sent()).toEqual(requests.change);
    expect(await storedTtls(servers)).toEqual(Array(count).fill(7_200));

    const { code, text } = await cli.run("destroy", "-auto-approve", PARALLEL);
    expect({ code, text }).toEqual({ code: 0, text: expect.stringContaining(`${resources} destroyed`) });
    expect(sent()).toEqual(requests.destroy);
    expect(await storedTtls(servers)).toEqual([]);
  });
});

/** How often each role was asked for or written, by method. Fails for more than a few requests about something else. */
function forEachRole(
  seen: readonly { readonly method: string; readonly url: string }[],
  count: number,
): Record<string, number> {
  const ofRoles = seen.filter(({ url }) => url.startsWith("/v1/auth/jwt/role/"));
  expect(seen.length - ofRoles.length).toBeLessThanOrEqual(MOST_BESIDES);
  expect(new Set(ofRoles.map(({ url }) => url)).size).toBe(count);
  const methods = [...new Set(ofRoles.map(({ method }) => method))];
  const times = (name: string) => ofRoles.filter(({ method }) => method === name).length;
  // A request that met a connection's end is sent again: a few of thousands, on a machine that is busy with others.
  return Object.fromEntries(methods.map((method) => [method, Math.round(times(method) / count)]));
}

/** Of all roles that the server has. */
async function storedTtls(servers: ContractServers): Promise<unknown[]> {
  const { json } = await vault(servers, "GET", "auth/jwt/role?list=true");
  const { keys = [] } = { ...json.data } as { readonly keys?: readonly string[] };
  const stored = keys.map((name) => servers.stored("secrets", `auth/jwt/role/${name}`));
  return (await Promise.all(stored)).map((role) => (role as { readonly token_ttl: unknown }).token_ttl);
}
