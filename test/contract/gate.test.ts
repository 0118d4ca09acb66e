import { describe, expect, it } from "vitest";
import type { Definition } from "../../provider/core/definition.ts";
import { definitions } from "../../provider/resources/index.ts";
import { hostNames, hosts } from "../support/contract-host.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { openWorld } from "../support/contract-world.ts";
import { openGate } from "../support/gate.ts";
import { jobToken, openEngine, openLogins, setVariable } from "../support/jwt-logins.ts";
import { withService } from "../support/unless-there.ts";

closeServersAfterwards();

const jwtRole: Definition = definitions.jwtRole;
const peeringToken: Definition = definitions.clusterPeeringToken;
const role = { name: "app", roleType: "jwt", userClaim: "sub", boundSubject: "app" };
const passKey = "pass-key-of-the-gate";

/** What an operator puts before a server, and what the connection says about it. */
describe(
  "a gate with TLS and a header before the secrets server",
  withService(servicesUnderTest.includes("secrets"), "secrets"),
  () => {
    async function openGated() {
      const world = await openWorld();
      const { address } = world.servers.secrets;
      const gate = await openGate(address, "x-pass", passKey);
      const entry = {
        address: gate.origin,
        maxRetries: 0,
        caCertPem: gate.ca,
        tlsServerName: gate.name,
        headers: { "X-Pass": passKey },
      };
      const mount = await openLogins(world);
      return { world, gate, mount, entry, tokenEnv: setVariable(world.fresh("TOKEN_"), world.servers.secrets.token) };
    }

    it.each(hostNames)(
      "is passed by each request of the %s host, and no answer or line shows the key",
      async (name) => {
        const { gate, mount, entry, tokenEnv } = await openGated();
        const config = { secrets: JSON.stringify({ ...entry, tokenEnv }) };
        const host = hosts[name]({ resource: "jwtRole", config });
        const stack = createStack(host);
        await stack.up({ ...role, mount });
        await stack.refresh();
        await stack.destroy();
        await host.end();
        expect(gate.passed.length).toBeGreaterThan(4);
        expect([...host.answers, ...host.log()].join("\n")).not.toContain(passKey);
      },
    );

    it("is passed by a named connection, and by a login and its end", async () => {
      const { world, gate, mount, entry } = await openGated();
      const jwtEnv = setVariable(world.fresh("JOB_"), await jobToken());
      const login = { method: "jwt", mount, role: "ci", jwtEnv };
      const connections = JSON.stringify({ gated: { service: "secrets", ...entry, login } });
      const { engine, lines } = openEngine({ connections });
      await engine.create(jwtRole, { ...role, mount, connection: "gated" });
      await engine.end();
      expect(lines.filter((line) => line.startsWith("warning"))).toEqual([]);
      expect(gate.passed.filter((headers) => headers["x-vault-token"] === undefined)).not.toEqual([]);
    });

    it.each([
      ["header", { headers: { "X-Pass": "a-wrong-key-of-mine", "X-More": "another-secret-text" } }],
      ["TLS name", { tlsServerName: "other.internal" }],
      ["authority", { caCertPem: undefined }],
    ])("with another %s is an error, which shows no value of a header", async (_, other) => {
      const { mount, entry, tokenEnv, gate } = await openGated();
      const { engine, lines } = openEngine({ secrets: JSON.stringify({ ...entry, tokenEnv, ...other }) });
      const message = await engine.create(jwtRole, { ...role, mount }).then(String, (error: Error) => error.message);
      expect(message).toMatch(/401 no entry with|another host name|unknown authority/);
      for (const secret of ["a-wrong-key-of-mine", "another-secret-text", passKey])
        expect([message, ...lines].join("\n")).not.toContain(secret);
      expect(gate.passed).toEqual([]);
    });
  },
);

describe(
  "a gate with basic authentication before the cluster",
  withService(servicesUnderTest.includes("cluster"), "cluster"),
  () => {
    const userAndPassword = "operator:pass:word-of-the-gate";
    const basic = `Basic ${Buffer.from(userAndPassword).toString("base64")}`;

    it("is passed beside the cluster's own token", async () => {
      const world = await openWorld();
      const gate = await openGate(world.servers.cluster.address, "authorization", basic);
      const tokenEnv = setVariable(world.fresh("TOKEN_"), world.servers.cluster.token);
      const httpAuthEnv = setVariable(world.fresh("AUTH_"), userAndPassword);
      const entry = { address: gate.origin, caCertPem: gate.ca, tlsServerName: gate.name, tokenEnv, httpAuthEnv };
      const { engine } = openEngine({ cluster: JSON.stringify(entry) });
      const { id, state } = await engine.create(peeringToken, { peerName: world.fresh("peer") });
      await engine.delete(peeringToken, id, state);
      expect(gate.passed.some((headers) => headers["x-consul-token"] === world.servers.cluster.token)).toBe(true);
    });

    it("that refuses it is an error without user and password", async () => {
      const world = await openWorld();
      const gate = await openGate(world.servers.cluster.address, "authorization", basic);
      const httpAuthEnv = setVariable(world.fresh("AUTH_"), "operator:a-wrong-password");
      const entry = { address: gate.origin, caCertPem: gate.ca, tlsServerName: gate.name, httpAuthEnv, maxRetries: 0 };
      const { engine, lines } = openEngine({ cluster: JSON.stringify(entry) });
      const created = engine.create(peeringToken, { peerName: world.fresh("peer") });
      const said = [await created.then(String, (error: Error) => error.message), ...lines].join("\n");
      expect(said).toContain("401");
      expect(said).not.toContain("a-wrong-password");
      expect(said).not.toContain(Buffer.from("operator:a-wrong-password").toString("base64"));
    });
  },
);
