// @run test: generated values by the dozen

// What a program could not write and a server has all the same: it is read, imported, adopted and compared as it is.

import { describe, expect, it } from "vitest";
import type * as z from "zod";
import { judge } from "../../cli/sources/servers/hidden-values.ts";
import { picked } from "../../provider/core/canonical.ts";
import type { Definition, Values } from "../../provider/core/definition.ts";
import type { Field } from "../../provider/core/field.ts";
import { bodyOf } from "../../provider/core/record.ts";
import { requestPath } from "../../provider/core/template.ts";
import { createEngine, inputsOf } from "../../provider/engine/engine.ts";
import { openAdoption } from "../cli/adopt-harness.ts";
import { cases } from "../contract/cases/index.ts";
import { definitionOf, type ResourceCase, serviceOf } from "../support/contract-case.ts";
import { closeServersAfterwards } from "../support/contract-servers.ts";
import { openWorld } from "../support/contract-world.ts";
import type { ResourceName } from "../support/host-under-test.ts";
import { publicKeyPem } from "../support/valid-inputs.ts";

closeServersAfterwards();

const TEXTS = [" ", "x", "a\nb", "root"];
const NUMBERS = [-1, 0, 90, "-1s", "1500ms", "24h"];
const LISTS = [[""], [" a "], ["a,b"], ["root"], [1, true], " "];
const NESTED = [{ a: { b: 1 } }, { a: [["x"]] }, { a: null }, [{}]];
const MAPS = [{ "": "x" }, { a: "x", b: "x" }, { "a b": 25, role: "role" }, ...NESTED];
const odd: { readonly [Type in string]: readonly unknown[] } = {
  string: TEXTS,
  enum: TEXTS,
  boolean: [true],
  number: NUMBERS,
  array: [...LISTS, ...NESTED],
  // Members of a record inside the record are the server's own to check.
  object: [],
  union: [...NUMBERS, ...TEXTS, ...MAPS],
};
const oddValues = ({ schema }: Field) => odd[(schema as unknown as z.core.$ZodType)._zod.def.type] ?? MAPS;

/** Resources whose record is written as a whole, and those of which the server stores something that rules refuse. */
const STORED: { readonly [Name in ResourceName]?: readonly string[] } = {
  cloudLeaseConfig: ["lease", "leaseMax"],
  cloudRole: ["iamGroups", "iamTags", "policyArns"],
  cloudRootConfig: ["disableAutomatedRotation", "identityTokenTtl", "roleArn"],
  cloudStaticRole: [],
  clusterExportedServices: [],
  clusterIntention: [],
  identityGroup: [],
  jwtConfig: ["jwksCaPem", "oidcDiscoveryCaPem", "unsupportedCriticalCertExtensions"],
  jwtRole: ["allowedRedirectUris", "boundAudiences", "boundClaims", "claimMappings", "oidcScopes", "tokenPolicies"],
  policyParameter: [],
  policyPolicySet: ["policyToolVersion"],
  sysAuthMount: ["defaultLeaseTtl", "maxLeaseTtl", "options"],
  sysPolicy: [],
  sysSecretsMount: ["allowedManagedKeys", "defaultLeaseTtl", "delegatedAuthAccessors", "maxLeaseTtl", "options"],
};

describe.each(Object.entries(STORED))("what rules refuse of %s", (resource, expected) => {
  it("and the server stores is imported, adopted and compared as it is", async () => {
    const name = resource as ResourceName;
    const { fields, put, read, write } = await openRecord(name);
    const refused = new Set<string>();
    for (const [property, field] of fields) {
      for (const value of oddValues(field)) {
        if (!(await put(field.wire, value))) continue;
        const { inputs, state, isRefused, failures, changed, judgement } = await read();
        const title = `${property} ${JSON.stringify(value)}`;
        expect({ title, failures, changed }).toEqual({ title, failures: [], changed: [] });
        expect({ title, judgement }).toEqual({
          title,
          judgement: expect.objectContaining({ hidden: expect.anything() }),
        });
        if (!isRefused(property)) continue;
        refused.add(property);
        expect({ title, record: await write(inputs, state) }).toEqual({ title, record: "the same" });
      }
      await put();
    }
    expect([...refused].sort()).toEqual(expected);
  });
});

/** A record of this resource, which is written past the provider. */
async function openRecord(name: ResourceName) {
  const world = await openWorld();
  const definition: Definition = definitionOf(name);
  const config = world.config();
  const engine = createEngine({ config: (key) => config[key], env: process.env, log: () => {} });
  const service = serviceOf(name);
  const raw = world.raw(service);
  const of = cases[name] as unknown as ResourceCase;
  const ground = await of.prepare(world);
  const { inputs: minimal } = await engine.check(definition, ground.minimal);
  const { id, state: known } = await engine.create(definition, minimal);
  const server = await engine.server(definition, known);
  const { method, path, layout } = definition.update;
  const line = definition.dialect === "consul" ? "PUT config" : `${method} ${requestPath(path, known)}`;
  const places = [ground.record(known)].flat() as readonly (string | readonly [never, string])[];
  const stored = async () => {
    const [place = ""] = places;
    const [where, at] = typeof place === "string" ? ([service, place] as const) : place;
    const { updatedAt: _, ...record } = (await world.servers.stored(where, at)) as Values;
    return record;
  };

  const send = (body: Values) => {
    const type = name === "policyParameter" ? "vars" : "policy-sets";
    return raw.ask(line, definition.dialect === "tfe" ? { data: { type, attributes: body } } : body);
  };
  const whole = (values: Values, live: Values) => {
    const body = bodyOf(definition, values, { server, live });
    return layout?.(body, live) ?? body;
  };
  return {
    fields: Object.entries(definition.fields).filter(
      ([property, { place, wire }]) =>
        place === "body" && !wire.includes("/") && !definition.writeOnly.includes(property) && property !== "type",
    ),
    /** Whether the server takes it. */
    async put(wire?: string, value?: unknown) {
      engine.startRun();
      const { status } = await send({ ...whole(minimal, known), ...(wire !== undefined && { [wire]: value }) });
      return status < 300;
    },
    /** What an import, an adoption and a comparison make of the record. */
    async read() {
      const found = await engine.read(definition, id, {});
      if (!found) throw new Error(`${id} is gone`);
      const { state } = found;
      const inputs = inputsOf(definition, state);
      const { connection: _, ...values } = inputs;
      const alone = await engine.check(definition, inputs);
      return {
        inputs,
        state,
        isRefused: (property: string) => alone.failures.some((each) => each.property.split(/[.[]/)[0] === property),
        // What no server shows has to be set, whatever else there is.
        failures: (await engine.check(definition, inputs, inputs)).failures.filter(
          ({ property }) => !definition.writeOnly.includes(property),
        ),
        changed: (await engine.diff(definition, state, inputs)).changed,
        judgement: judge(definition, values, { state, server }),
      };
    },
    /** Writes what was read. */
    async write(inputs: Values, state: Values) {
      const before = await stored();
      const { status, body } = await send(whole({ ...picked(minimal, definition.writeOnly), ...inputs }, state));
      if (status > 299) return body;
      const after = await stored();
      return JSON.stringify(before) === JSON.stringify(after) ? "the same" : { before, after };
    },
  };
}

async function openOddRole() {
  const opened = await openAdoption();
  const { call } = opened.raw("secrets");
  await call("POST sys/auth/jobs", { type: "jwt" });
  await call("POST auth/jobs/config", { jwt_validation_pubkeys: [publicKeyPem()] });
  const role = { user_claim: "sub", role_type: "jwt", bound_audiences: "x" };
  await call("POST auth/jobs/role/odd", { ...role, allowed_redirect_uris: ["not a\nuri"] });
  return opened;
}

const REASON = "allowedRedirectUris[0] must be a URI such as https://app.example.com/oidc/callback";

it.each([
  ["typescript", "auth-jobs.ts", "//"],
  ["python", "resources/auth_jobs.py", "#"],
  ["go", "authJobs.go", "\t//"],
  ["yaml", "Pulumi.yaml", "#"],
])("the adopted program in %s says in a comment what is odd", async (language, file, mark) => {
  const { adopt } = await openOddRole();
  const { code, out, files } = await adopt("--service", "secrets", "--language", language);
  expect({ code, out }).toEqual({ code: 0, out: expect.not.stringContaining("left out") });
  expect(files[file]).toContain(`${mark} The server has what a program could not add: ${REASON}\n`);
});

it.each([
  [
    "Terraform, which knows no record when it validates",
    ["--language", "hcl"],
    "Terraform refuses it in a configuration",
  ],
  ["the dynamic classes, which cannot import", ["--classes", "dynamic"], "--classes plugin imports it"],
])("%s: it is left out, and the reason is said", async (_, flags, reason) => {
  const { adopt } = await openOddRole();
  const { files } = await adopt("--service", "secrets", ...flags);
  const lines = (files["README.md"] ?? "").split("\n").filter((line) => line.includes("jwt.Role odd"));
  expect(lines.join("\n")).toContain(reason);
  expect(lines.join("\n")).toContain(REASON);
});
