// @run test: it waits for clocks

// Load balancers, standbys and quotas: each ends in bounded time, and says what is waited for or what to do.
import { expect, it } from "vitest";
import { createEngine } from "../../provider/engine/engine.ts";
import { definitions } from "../../provider/resources/index.ts";
import { faultScript } from "../../server/faults/fault-script.ts";
import { openAdoption } from "../cli/adopt-harness.ts";
import { standIn } from "../support/connection-stand-in.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { serve } from "../support/loopback-server.ts";
import { publicKeyPem } from "../support/valid-inputs.ts";

const reading = { method: "GET", path: "auth/jwt/role/ci" } as const;

// https://developer.hashicorp.com/vault/api-docs/system/health has the statuses; the words of a secondary are quoted in
// https://github.com/DataDog/integrations-core/issues/7819 and https://github.com/hashicorp/vault/issues/3460
it.each([
  [472, "", /^472 .*secondary for disaster recovery.*give the address of the primary\.$/],
  [
    400,
    '{"errors":["path disabled in replication DR secondary mode"]}',
    /^400 path .*give the address of the primary\.$/,
  ],
  [473, "", /^473 .*load balancer seems to answer.*a performance standby: let it count 473 as healthy/],
  [474, "", /^474 .*a standby that has lost the active one: run again when there is one\.$/],
])("the status %d of a node that is not the active one is said, with what to do", async (status, text, message) => {
  const { connection, asked } = await standIn(
    "vault",
    (_, outgoing) => void outgoing.writeHead(status, { "content-type": "application/json" }).end(text),
    { retries: 3 },
  );
  await expect(connection.ask(reading)).rejects.toThrow(message);
  expect(asked).toHaveLength(1);
});

it("a 307 that leads round in a circle ends, and says what a load balancer has to do", async () => {
  const { connection, asked, origin } = await standIn("vault", ({ url }, outgoing) => {
    outgoing.writeHead(307, { location: origin + url }).end();
  });
  await expect(connection.ask(reading)).rejects.toThrow(
    /^307 .* redirects to .*; .*a 307 that repeats the path is followed, twice at most.*Behind a load balancer, .*the active node alone/,
  );
  expect(asked).toHaveLength(3);
});

it("a lagging replica is asked again a few times, which is said once", async () => {
  let left = 2;
  const { connection, log } = await standIn(
    "vault",
    (_, outgoing) => void outgoing.writeHead(left-- > 0 ? 412 : 200).end('{"data":{"keys":[]}}'),
    { retries: 3 },
  );
  await connection.ask(reading);
  expect(log).toEqual(["info: GET /v1/auth/jwt/role/ci: status 412; trying up to 3 more times"]);
});

/** A root configuration as a node shows it, and what is written to it. */
async function rootConfig(show: (written: readonly Readonly<Record<string, unknown>>[]) => object | undefined) {
  const written: Record<string, unknown>[] = [];
  const { origin } = await serve(async (request, response) => {
    const answer = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
    if (request.method === "POST") {
      let text = "";
      for await (const chunk of request) text += String(chunk);
      written.push(JSON.parse(text));
      return void response.writeHead(204).end();
    }
    if (request.url === "/v1/sys/mounts") return void answer(200, { data: { "cloud/": { type: "aws" } } });
    if (request.url !== "/v1/cloud/config/root") return void answer(200, { version: "1.21.0", cluster_id: "c" });
    const shown = show(written);
    answer(shown ? 200 : 404, shown ? { data: { region: "eu-west-1", max_retries: -1, ...shown } } : { errors: [] });
  });
  const engine = engineWithLog({ secrets: JSON.stringify({ address: origin, token: "t" }) }, []);
  const keys = { accessKey: "AKIAGIVEN", secretKey: "given" };
  const check = async (args: object) =>
    (await engine.check(definitions.cloudRootConfig, { mount: "cloud", region: "eu-west-1", ...keys, ...args })).inputs;
  return { engine, check, written };
}

const { cloudRootConfig } = definitions;

it("a key that only the server has is not written over where a node does not show its configuration yet", async () => {
  let isBehind = true;
  const { engine, check, written } = await rootConfig(([change]) => {
    const shown = isBehind ? undefined : { access_key: "AKIAROTATED", ...change };
    isBehind = false;
    return shown;
  });
  const olds = await check({ rotatedByServer: true });
  await engine.update(cloudRootConfig, "cloud/config/root", olds, { ...olds, region: "b" });
  expect(written).toMatchObject([{ region: "b" }]);
  expect(JSON.stringify(written)).not.toContain("AKIAGIVEN");
});

it("a key that was rotated is not written over where a node still shows the one before", async () => {
  const { engine, check, written } = await rootConfig(([change]) => ({ access_key: "AKIAGIVEN", ...change }));
  const olds = await check({});
  await engine.update(cloudRootConfig, "cloud/config/root", olds, { ...olds, region: "b" });
  expect(written).toMatchObject([{ region: "b" }]);
  expect(JSON.stringify(written)).not.toContain("AKIAGIVEN");
});

it("a configuration that was blanked is written anew, although a node still shows what it was", async () => {
  const { engine, check, written } = await rootConfig(() => ({ access_key: "AKIAROTATED" }));
  const inputs = await check({ rotatedByServer: true, onDelete: "blank" });
  await engine.delete(cloudRootConfig, "cloud/config/root", inputs);
  await engine.create(cloudRootConfig, inputs);
  expect(written.map(({ access_key: key }) => key)).toEqual(["", "AKIAGIVEN"]);
});

/** A set of many roles, whose reads a quota refuses. */
async function createMany(fault: string) {
  const { server, env, raw } = await openAdoption();
  await raw("secrets").call("POST auth/jwt/config", { jwt_validation_pubkeys: [publicKeyPem()] });
  const lines: string[] = [];
  const engine = createEngine({ config: () => undefined, env, log: (_, line) => lines.push(line) });
  const roles = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`r${index}`, {}]));
  const defaults = { roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] };
  const { inputs } = await engine.check(definitions.jwtRoleSet, { mount: "jwt", defaults, roles });
  server.faults.add(faultScript.parse(fault));
  const outcome = engine.create(definitions.jwtRoleSet, inputs).then(
    () => "done",
    (error: Error) => error.message,
  );
  return { outcome: await outcome, lines };
}

// https://github.com/hashicorp/vault/issues/21904
it("a quota that says when to come back is waited for by a set of 200, in one line", async () => {
  const { outcome, lines } = await createMany("POST auth/jwt/role/* 429 retry-after=1 x20");
  expect(outcome).toBe("done");
  expect(lines.filter((line) => line.includes("waiting as long as the server asks"))).toHaveLength(1);
});

it("a quota that asks for more than a minute ends a set of 200 at once, and the time is said", async () => {
  const before = Date.now();
  const { outcome } = await createMany("POST auth/jwt/role/* 429 retry-after=600");
  expect(outcome).toMatch(/429 .*The server asks to come back in 600 s/);
  expect(Date.now() - before).toBeLessThan(20_000);
});
