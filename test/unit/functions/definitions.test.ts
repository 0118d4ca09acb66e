import { describe, expect, it } from "vitest";
import { check } from "../../../provider/core/check";
import { type FunctionDefinition, resultsOf } from "../../../provider/core/function";
import { placeholders } from "../../../provider/core/template";
import { functions } from "../../../provider/functions";

const all = Object.entries<FunctionDefinition>(functions);

/** Arguments that any function takes; what it does not know is left out. */
const known = {
  name: "a",
  role: "a",
  peerName: "a",
  organization: "a",
  jwt: "x",
  redirectUri: "http://localhost/back",
  policySetId: "polset-demo000000000001",
};

function argumentsOf({ fields }: FunctionDefinition): Record<string, unknown> {
  return Object.fromEntries(Object.entries(known).filter(([name]) => name in fields));
}

describe.each(all)("%s", (name, definition) => {
  const { token, fields, request, label } = definition;
  const checked = (args: object) => check({ ...definition, secrets: {} }, { ...argumentsOf(definition), ...args });

  it("has the name of its token", () => {
    expect(token.replace(/:(.)/, (_, first: string) => first.toUpperCase())).toBe(name);
  });

  it("finds everything that its address needs among its arguments", () => {
    const { inputs, failures } = checked({});
    expect(failures).toEqual([]);
    const needed = placeholders(request(inputs).path);
    expect(needed.filter((argument) => fields[argument]?.place !== "path")).toEqual([]);
    const named = [label, definition.validity?.when, definition.release?.when].filter((each) => each !== undefined);
    expect(named.filter((argument) => !(argument in fields))).toEqual([]);
  });

  it("takes a connection, and refuses what it does not know", () => {
    expect(checked({ connection: "east" }).failures).toEqual([]);
    expect(checked({ nmae: "a" }).failures).toMatchObject([{ property: "nmae" }]);
  });

  // @covers cloud: Generation parameters > mfa_code
  it("sends no secret in an address", () => {
    const { inputs } = checked({});
    const { method, path } = request(inputs);
    const sent = method === "GET" ? Object.keys(inputs) : placeholders(path);
    expect(sent.filter((argument) => definition.secrets[argument] !== undefined)).toEqual([]);
  });
});

// @covers beyond: Answer of a login > client_token
// @covers beyond: Answer with credentials > secret_key
it("what issues something, and what is secret, is marked so", () => {
  const named = (which: (definition: FunctionDefinition) => boolean) =>
    all.filter(([, definition]) => which(definition)).map(([name]) => name);
  expect(named(({ issues }) => issues)).toEqual(["cloudGetCredentials", "jwtAuthUrl", "jwtLogin"]);
  expect(named(({ secretResults }) => secretResults.length > 0)).toEqual([
    "cloudGetCredentials",
    "cloudGetStaticCredentials",
    "jwtLogin",
  ]);
});

describe("what an answer is made of", () => {
  // @covers beyond: Answer with credentials > session_token
  it("an answer of OpenBao and older releases calls the session token a security token", () => {
    const { unpack, results } = functions.cloudGetCredentials;
    const keys = { access_key: "A", secret_key: "S", lease_duration: 60 };
    const shown = (more: object) => resultsOf(results, unpack?.({ ...keys, ...more }, {}) ?? {})["sessionToken"];

    expect(shown({ security_token: "old" })).toBe("old");
    expect(shown({ security_token: "same", session_token: "same" })).toBe("same");
    expect(shown({ session_token: "new" })).toBe("new");
    expect(shown({ session_token: null })).toBeUndefined();
  });

  // @covers beyond: Answer with credentials > lease_id
  it("credentials without a lease have nothing to give back", () => {
    const { release } = functions.cloudGetCredentials;
    expect(release?.members({ leaseId: "" })).toBeUndefined();
    expect(release?.members({ leaseId: "cloud/creds/a/b" })).toEqual({ lease_id: "cloud/creds/a/b" });
  });

  // @covers peering: Fields of the stored record > Remote
  // @covers peering: Fields of the stored record > StreamStatus
  it("a peering shows what its stream carries, and nothing of what is not there yet", () => {
    const StreamStatus = { ImportedServices: ["web"], ExportedServices: null, LastHeartbeat: null };
    const record = { Name: "west", ID: "1", State: "ACTIVE", StreamStatus, Remote: { Partition: "", Datacenter: "" } };
    expect(resultsOf(functions.clusterGetPeering.results, record)).toEqual({
      peerName: "west",
      peeringId: "1",
      state: "ACTIVE",
      importedServices: ["web"],
    });
  });
});
