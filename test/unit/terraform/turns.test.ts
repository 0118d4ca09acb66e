import { describe, expect, it } from "vitest";
import type { Definition, Values } from "../../../provider/core/definition";
import { turnsOf } from "../../../provider/hosts/terraform/call";
import { createSession } from "../../../provider/hosts/terraform/session";
import { definitions } from "../../../provider/resources";
import { terraformTables as tables } from "../../support/terraform-host";

const { jwtRole, jwtRoleSet, policyParameter, policyParameterSet } = definitions;

const env = {
  VAULT_ADDR: "https://vault.example.com",
  VAULT_TOKEN: "t",
  TFE_ADDRESS: "https://tfe.example.com",
  TFE_TOKEN: "t",
};

/** The order in which two works begin and end that are asked for at once. */
async function eventsOf(...turns: readonly (readonly [Definition, Values])[]): Promise<string> {
  const session = createSession(env, () => undefined);
  session.configure(Object.assign(() => undefined, { of: "program" as const }));
  const events: string[] = [];
  const works = turns.map(([definition, values], at) =>
    session.inTurn(turnsOf({ session, tables }, definition, [values]), async () => {
      events.push(`begins ${at}`);
      await new Promise((resolve) => setImmediate(resolve));
      events.push(`ends ${at}`);
    }),
  );
  await Promise.all(works);
  await session.end();
  return events.join(", ");
}

const IN_TURN = "begins 0, ends 0, begins 1, ends 1";
const AT_ONCE = "begins 0, begins 1, ends 0, ends 1";

describe("operations of one run of Terraform", () => {
  it.each<[string, readonly [Definition, Values], readonly [Definition, Values], string]>([
    ["one role, by two names", [jwtRole, { mount: "jwt", name: "a" }], [jwtRole, { mount: "jwt", name: "A" }], IN_TURN],
    [
      "a role and a set without it",
      [jwtRole, { mount: "jwt", name: "b" }],
      [jwtRoleSet, { mount: "jwt", roles: { a: {} } }],
      AT_ONCE,
    ],
    ["two roles", [jwtRole, { mount: "jwt", name: "a" }], [jwtRole, { mount: "jwt", name: "b" }], AT_ONCE],
    [
      "a role and a set that has it",
      [jwtRole, { mount: "jwt", name: "a" }],
      [jwtRoleSet, { mount: "jwt", roles: { a: {} } }],
      IN_TURN,
    ],
    [
      "a set and a role that it has",
      [jwtRoleSet, { mount: "jwt", roles: { a: {} } }],
      [jwtRole, { mount: "jwt", name: "a" }],
      IN_TURN,
    ],
    [
      "a role and the set of another mount",
      [jwtRole, { mount: "jwt", name: "a" }],
      [jwtRoleSet, { mount: "jwt2", roles: { a: {} } }],
      AT_ONCE,
    ],
    [
      "a parameter and its set",
      [policyParameter, { policySetId: "polset-a" }],
      [policyParameterSet, { policySetId: "polset-a" }],
      IN_TURN,
    ],
  ])("%s", async (_, one, other, events) => {
    expect(await eventsOf(one, other)).toBe(events);
  });

  it("one that fails does not stop the next one", async () => {
    const session = createSession({}, () => undefined);
    const failing = session.inTurn(["x"], () => Promise.reject(new Error("no")));
    const next = session.inTurn(["x"], async () => "done");
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe("done");
    await session.end();
  });
});
