// @servers embedded vault
// @without-terraform: it asks the engine or Pulumi's hosts

import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { opened } from "../../provider/core/seal.ts";
import { asSecret } from "../../provider/core/secret-envelope.ts";
import { withPaths } from "../../provider/hosts/dynamic/property-values.ts";
import { definitions } from "../../provider/resources/index.ts";
import type { ResourceCase } from "../support/contract-case.ts";
import { hosts, type ResourceName } from "../support/contract-host.ts";
import { asRecorded, expectHidden, textsOf } from "../support/contract-secrets.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { openWorld } from "../support/contract-world.ts";
import { cases } from "./cases/index.ts";

closeServersAfterwards();

/** What no table calls secret, and the program does. */
const ofTheProgram: readonly ProgramSecret[] = [
  {
    title: "a legacy policy, which is sent as policyDocument",
    resource: "cloudRole",
    hidden: (secret) => ({ policy: asSecret(JSON.stringify({ Version: "2012-10-17", Statement: [{ Sid: secret }] })) }),
  },
  {
    title: "a legacy ARN, which is sent in policyArns",
    resource: "cloudRole",
    hidden: (secret) => ({ arn: asSecret(`arn:aws:iam::123456789012:policy/${secret}`) }),
  },
  {
    title: "a legacy ARN, which is sent in roleArns",
    resource: "cloudRole",
    hidden: (secret) => ({ arn: asSecret(`arn:aws:iam::123456789012:role/${secret}`) }),
  },
  {
    title: "a part of a policy, which becomes JSON",
    resource: "cloudRole",
    hidden: (secret) => ({
      credentialType: "iam_user",
      policyDocument: { Version: "2012-10-17", Statement: [{ Sid: asSecret(secret), Effect: "Deny" }] },
    }),
  },
  {
    title: "one value of a claim",
    resource: "jwtRole",
    hidden: (secret) => ({
      roleType: "jwt",
      userClaim: "sub",
      boundClaims: { project: ["for everybody", asSecret(secret)] },
    }),
  },
];

interface ProgramSecret {
  readonly title: string;
  readonly resource: ResourceName;
  /** The arguments, as the engine has them. */
  readonly hidden: (secret: string) => Values;
}

/** What Pulumi hands over: envelopes, or plain values and what the classes say beside them. */
const handedOver = {
  plugin: (values: Values) => values,
  dynamic: (values: Values, resource: ResourceName) =>
    opened(withPaths(definitions[resource], values, { ...values })).values,
};

const secretHosts = servicesUnderTest.includes("secrets") ? (["dynamic", "plugin"] as const) : [];

describe.each(ofTheProgram)("$title, through both hosts", ({ resource, hidden }) => {
  it.each(secretHosts)("stays as secret as the program made it in everything that the %s host says", async (name) => {
    const world = await openWorld();
    const secret = randomBytes(12).toString("hex");
    const { minimal } = await (cases[resource] as unknown as ResourceCase).prepare(world);
    const own = Object.fromEntries(["mount", "name"].map((key) => [key, minimal[key]]));
    const host = hosts[name]({ resource, config: world.config() });
    const again = (answer: string): Values => {
      const { inputs } = JSON.parse(answer);
      return name === "plugin" ? JSON.parse(answer) : opened(inputs).values;
    };
    await host.check({}, handedOver[name]({ ...own, ...hidden(secret) }, resource));
    const inputs = again(host.answers.at(-1) ?? "");
    expect(JSON.stringify(inputs)).toContain(secret);

    let writes = 0;
    world.traffic.strikeAll(({ method }) => {
      writes += method === "GET" ? 0 : 1;
      return writes > 0 && method === "GET";
    }, "403");
    const refused = await host.create(inputs).catch((error: unknown) => error);
    const left = host.leftBehind(refused);
    expect(left).toBeDefined();
    world.traffic.calm();
    const { id, state } = await host.create(inputs);
    await host.read(id, name === "plugin" ? (JSON.parse(host.answers.at(-1) ?? "") as Values) : state);
    await host.update(id, state, inputs);

    expect(host.answers.filter((answer) => answer.includes(secret)).length).toBeGreaterThanOrEqual(5);
    expectHidden([...host.answers.map(asRecorded), ...host.log(), ...textsOf(refused)], secret);
  });
});

describe.each(secretHosts)("advice through the %s host", (name) => {
  it("shows no part of what only the program calls secret, and what is not secret as ever", async () => {
    const world = await openWorld();
    const secret = randomBytes(12).toString("hex");
    const said = async (resource: ResourceName, args: Values) => {
      const host = hosts[name]({ resource, config: world.config() });
      const { failures } = await host.check({}, handedOver[name](args, resource));
      return [...host.log(), ...failures.map(({ property, reason }) => `${property} ${reason}`)];
    };
    const policy = (text: string) => `path "/v1/kv/data/${secret}" { capabilities = ["${text}"] }`;
    const role = { name: "ci", roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] };
    const saidOfEach = async (policies: readonly string[]) => {
      const all = policies.map((broken) => said("sysPolicy", { name: "ci", policy: asSecret(broken) }));
      return (await Promise.all(all)).flat();
    };
    const lines = [
      ...(await said("sysPolicy", { name: "ci", policy: asSecret(policy("read")) })),
      ...(await said("sysPolicy", { name: "ci", policy: asSecret(policy(`${secret}x`)) })),
      ...(await saidOfEach([
        `x${secret} ,`,
        `"a ${secret}" 1`,
        `x${secret} b = 1`,
        `a = x${secret}`,
        `x${secret}=1 x${secret}=2`,
      ])),
      ...(await saidOfEach([`a = [1 "${secret}"]`, `<<A\n${secret}\nA\n{}`, `a = <<x${secret}\nb`])),
      ...(await said("jwtRole", { ...role, tokenPolicies: [asSecret(secret.toUpperCase())] })),
      ...(await said("jwtRole", { ...role, boundClaims: asSecret({ [secret]: "*" }) })),
    ];
    expectHidden(lines, secret);
    expect(lines.filter((line) => line.includes("[secret]")).length).toBeGreaterThanOrEqual(10);
    // A real server has no mount of this name, and the dynamic host says so.
    expect(await said("jwtRole", { ...role, tokenPolicies: ["Deploy"] })).toContainEqual(
      expect.stringContaining('is "Deploy"; the server reads it as the policy "deploy"'),
    );
  });
});

/** Arguments that are refused, with a secret where the refusal would name it. */
const refused: readonly ProgramSecret[] = [
  {
    title: "a policy that is no JSON",
    resource: "cloudRole",
    hidden: (secret) => ({ policy: asSecret(`not JSON: ${secret}`) }),
  },
  {
    title: "a claim in a secret map",
    resource: "jwtRole",
    hidden: (secret) => ({ boundClaims: asSecret({ [secret]: { not: "a text" } }) }),
  },
];

describe.each(refused)("$title", ({ resource, hidden }) => {
  it.each(secretHosts)("is refused by the %s host without being shown", async (name) => {
    const world = await openWorld();
    const secret = randomBytes(12).toString("hex");
    const host = hosts[name]({ resource, config: world.config() });
    const args = { name: "ci", roleType: "jwt", userClaim: "sub", ...hidden(secret) };
    const { roleType: _, userClaim: __, ...legacy } = args;

    const { failures } = await host.check({}, handedOver[name](resource === "jwtRole" ? args : legacy, resource));

    const [property = ""] = Object.keys(hidden(secret));
    expect(failures.map((failure) => failure.property)).toContain(property);
    expect(host.answers.join()).not.toContain(`"property":"${property}"`);
    expectHidden(
      failures.map((failure) => failure.property + failure.reason),
      secret,
    );
  });
});
