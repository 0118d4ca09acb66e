import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { HeldResult } from "../../../provider/engine/function-call";
import { functions } from "../../../provider/functions";
import {
  closeEphemeralResource,
  openEphemeralResource,
  readDataSource,
  renewEphemeralResource,
  validateEphemeralResourceConfig,
} from "../../../provider/hosts/terraform/function-calls";
import type { FunctionTable } from "../../../provider/hosts/terraform/function-table";
import type { Request } from "../../../provider/hosts/terraform/protocol";
import { messageOf, type RawRecord, recordIn } from "../../../provider/hosts/terraform/value";
import { hostWith, terraformTables } from "../../support/terraform-host";

const { dataSources, ephemerals } = terraformTables;
const all = [...dataSources.values(), ...ephemerals.values()];

/** A program's block: every attribute is there. */
function configOf({ inputs, results }: FunctionTable, given: RawRecord) {
  const unset = [...inputs, ...results].map(({ name }) => [name, null] as const);
  return messageOf({ ...Object.fromEntries(unset), ...given });
}

function requestOf(typeName: string, given: RawRecord): Request {
  const table = dataSources.get(typeName) ?? ephemerals.get(typeName);
  if (!table) throw new Error(`there is no ${typeName}`);
  return { typeName, config: configOf(table, given) } as Partial<Request> as Request;
}

describe("Terraform's functions", () => {
  it("are data sources, and ephemeral resources where a state must not have what they answer", () => {
    expect(all).toHaveLength(Object.keys(functions).length);
    expect([...ephemerals.keys()]).toEqual([
      "trustplane_cloud_credentials",
      "trustplane_cloud_static_credentials",
      "trustplane_jwt_auth_url",
      "trustplane_jwt_login",
    ]);
    expect([...dataSources.keys()]).toContain("trustplane_jwt_role");
  });

  it.each(all.map((table) => [table.typeName, table] as const))(
    "%s has attributes as Terraform wants them",
    (_, table) => {
      const attributes = [...table.inputs, ...table.results];
      const names = attributes.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      for (const { isRequired, isOptional, isComputed, description } of attributes) {
        expect([isRequired || isOptional || isComputed, isRequired && (isOptional || isComputed)]).toEqual([
          true,
          false,
        ]);
        expect(description).not.toMatch(/^$|\b[a-z]+[A-Z]\w*\b(?<!\bOpenBao\b)(?<!\bsts\b)|pulumi/);
      }
      expect(table.description).toMatch(/^[A-Z].*\.$/);
      const shown = attributes.filter(({ isSensitive }) => isSensitive).map(({ property }) => property);
      const { secrets, secretResults } = table.definition;
      expect(shown.sort()).toEqual([...new Set([...Object.keys(secrets), ...secretResults])].sort());
      expect(table.isEphemeral || shown.length === 0).toBe(true);
    },
  );

  it("never asks whether what was issued is given back", () => {
    expect(ephemerals.get("trustplane_cloud_credentials")?.inputs.map(({ name }) => name)).not.toContain(
      "revoke_at_end",
    );
  });
});

describe("a data source", () => {
  it("answers what the server shows, beside what the program says as it says it", async () => {
    const call = vi.fn(async () => ({
      results: { mount: "m", name: "ci", roleType: "jwt", boundClaims: { a: ["b"] } },
    }));
    const host = hostWith({ call });
    const { answer } = await readDataSource(host, requestOf("trustplane_jwt_role", { mount: "/m/", name: "CI" }));
    const record = recordIn((answer as { state: { msgpack: Uint8Array } }).state.msgpack);
    expect(record).toMatchObject({ mount: "/m/", name: "CI", role_type: "jwt", token_ttl: null });
    expect(call).toHaveBeenCalledWith(functions.jwtGetRole, { mount: "/m/", name: "CI" }, undefined);
  });

  it("has the default where the program says nothing", async () => {
    const host = hostWith({ call: async () => ({ results: { mount: "jwt", names: [] } }) });
    const { answer } = await readDataSource(host, requestOf("trustplane_jwt_roles", {}));
    const record = recordIn((answer as { state: { msgpack: Uint8Array } }).state.msgpack);
    expect(record).toMatchObject({ mount: "jwt", names: [], connection_name: null });
  });
});

describe("an ephemeral resource", () => {
  const results = { mount: "jwt", clientToken: "s.1", leaseDuration: 60, policies: ["a"] };
  const given = { role: "ci", jwt: "x" };

  async function opened(held: Omit<HeldResult, "results">) {
    const host = hostWith({ hold: async () => ({ results, ...held }) });
    const { answer } = await openEphemeralResource(host, requestOf("trustplane_jwt_login", given));
    const { private: name, ...said } = answer as { private: Uint8Array; result: object; renewAt?: { seconds: number } };
    const later = { typeName: "trustplane_jwt_login", private: name } as Partial<Request> as Request;
    return { host, said, later };
  }

  it("is given back once, when it is closed", async () => {
    const release = vi.fn(async () => undefined);
    const { host, said, later } = await opened({ release });
    expect(recordIn((said.result as { msgpack: Uint8Array }).msgpack)).toMatchObject({ ...given, client_token: "s.1" });
    expect(Buffer.from(later.private).toString()).not.toContain("s.1");
    expect(release).not.toHaveBeenCalled();
    await closeEphemeralResource(host, later);
    await closeEphemeralResource(host, later);
    await host.session.leases.endAll();
    expect(release).toHaveBeenCalledTimes(1);
  });

  it("is given back at the end of a run that did not close it", async () => {
    const release = vi.fn(async () => undefined);
    const { host } = await opened({ release });
    expect(await host.session.leases.endAll()).toEqual([]);
    expect(release).toHaveBeenCalledTimes(1);
    const other = await opened({ release: () => Promise.reject(new Error("it is sealed")) });
    expect(await other.host.session.leases.endAll()).toEqual(["it is sealed"]);
  });

  it("is renewed when two thirds of its time are over, as long as it lasts", async () => {
    const now = Math.floor(Date.now() / 1000);
    const lasting = [30, 0];
    const { host, said, later } = await opened({ seconds: 60, renew: async () => lasting.shift() ?? 0 });
    expect(Math.abs((said.renewAt?.seconds ?? 0) - now - 40)).toBeLessThanOrEqual(5);
    const first = await renewEphemeralResource(host, later);
    expect(first.answer).toMatchObject({ renewAt: { seconds: expect.any(Number) }, private: later.private });
    expect((await renewEphemeralResource(host, later)).answer).toEqual({ private: later.private });
  });

  it("is tried to be renewed again after a failure, with a warning, until its time is over", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const began = Date.now();
    const answers = [new Error("it is sealed"), new Error("it is sealed"), 60];
    const renew = async () => {
      const answer = answers.shift() ?? new Error("lease is not renewable");
      if (typeof answer === "number") return answer;
      throw answer;
    };
    const { host, said, later } = await opened({ seconds: 60, renew });
    const times: (number | undefined)[] = [secondsOf(said)];
    const warnings: unknown[] = [];
    while (times.at(-1) !== undefined && times.length < 20) {
      vi.setSystemTime(began + (times.at(-1) ?? 0) * 1000);
      const { answer, diagnostics = [] } = await renewEphemeralResource(host, later);
      expect(answer).toMatchObject({ private: later.private });
      times.push(secondsOf(answer));
      warnings.push(...diagnostics);
    }
    // Renewed at 55 for 60 seconds, which are over at 115.
    expect(times).toEqual([40, 50, 55, 95, 105, 110, 112.5, 113.75, 114.375, undefined]);
    expect(warnings).toHaveLength(8);
    expect(warnings).toEqual(warnings.map(() => expect.objectContaining({ severity: 2 })));
    expect(warnings.at(-1)).toMatchObject({ detail: expect.stringContaining("renewable") });

    function secondsOf(answer: object): number | undefined {
      const { renewAt } = answer as { renewAt?: { seconds: number; nanos: number } };
      return renewAt && (renewAt.seconds * 1000 + renewAt.nanos / 1_000_000 - began) / 1000;
    }
  });

  it("is not renewed where that is not possible", async () => {
    const without = await opened({ seconds: 60 });
    expect(without.said.renewAt).toBeUndefined();
  });

  it("is refused with all that is wrong before anything is asked", async () => {
    const host = hostWith({});
    const wrong = requestOf("trustplane_cloud_credentials", { name: "a b", endpoint: "x", ttl: "soon" });
    const { diagnostics = [] } = await validateEphemeralResourceConfig(host, wrong);
    expect(diagnostics.map(({ attribute }) => attribute?.steps[0]?.attributeName).sort()).toEqual([
      "endpoint",
      "name",
      "ttl",
    ]);
  });
});
