import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startEmbedded } from "../support/contract-servers-embedded.ts";
import { terraformOptions, vault } from "../support/terraform-life.ts";
import { createTerraformSandbox } from "../support/terraform-sandbox.ts";
import { tellTerraform, writesOf } from "../support/terraform-story.ts";
import { environmentOf } from "./watched-servers.ts";

const role = (address: string, name: string, ttl = "1h") => `
  resource "trustplane_jwt_role" "${address}" {
    name          = "${name}"
    role_type     = "jwt"
    user_claim    = "sub"
    bound_subject = "s"
    token_ttl     = "${ttl}"
  }`;

interface Instance {
  attributes: Record<string, unknown>;
  private: string;
}

interface State {
  readonly resources: readonly { readonly instances: Instance[] }[];
}

const attributesIn = (state: string) =>
  (JSON.parse(state) as State).resources.flatMap(({ instances }) => instances.map(({ attributes }) => attributes));
const inOneLine = (text: string) => text.replace(/[\s│]+/g, " ");
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** Each has what somebody makes of an instance, and what is said then. */
const damages: readonly (readonly [title: string, damage: (instance: Instance) => void, said: string])[] = [
  ["private data that is no JSON", (it) => (it.private = base64("{no")), "(private) is damaged: it is no JSON object"],
  ["a server of another type", (it) => (it.private = base64('{"server":{}}')), "server has a wrong type"],
  ["a list that is a text", (it) => (it.attributes["bound_audiences"] = "a"), "bound_audiences has a wrong type"],
  [
    "a name that leads elsewhere",
    ({ attributes }) => {
      attributes["name"] = "../../../sys/policies/acl/deploy";
      attributes["id"] = "auth/jwt/role/../../../sys/policies/acl/deploy";
    },
    "leads to no such record",
  ],
  [
    "an id alone that leads elsewhere",
    (it) => {
      it.attributes["name"] = null;
      it.attributes["id"] = "auth/jwt/role/../../../sys/policies/acl/deploy";
    },
    "leads to no such record",
  ],
];

describe("a damaged state", terraformOptions, () => {
  test("is refused with what to do, and nothing is sent to another path", () =>
    tellTerraform(async ({ cli, apply, vault }) => {
      await vault("POST", "sys/policies/acl/deploy", { policy: 'path "secret/*" { capabilities = ["read"] }' });
      expect(await vault("GET", "sys/policies/acl/deploy")).toMatchObject({ status: 200 });
      cli.write(role("ci", "ci"));
      await apply();
      const whole = cli.state();
      cli.write("");
      for (const [title, damage, said] of damages) {
        const state = JSON.parse(whole) as State;
        for (const instance of state.resources.flatMap(({ instances }) => instances)) damage(instance);
        writeFileSync(join(cli.folder, "terraform.tfstate"), JSON.stringify(state));
        const writes = await writesOf(async () => {
          for (const more of [[], ["-refresh=false"]]) {
            const { code, text } = await cli.run("apply", "-auto-approve", ...more);
            expect({ code, text: inOneLine(text) }, title).toEqual({ code: 1, text: expect.stringContaining(said) });
            expect(text).not.toMatch(/defect|\.ts:\d|\.js:\d|crash/i);
          }
        });
        expect(writes, title).toEqual([]);
      }
      expect(await vault("GET", "sys/policies/acl/deploy")).toMatchObject({ status: 200 });
      expect(await vault("GET", "auth/jwt/role/ci")).toMatchObject({ status: 200 });
    }));
});

describe("a saved plan", terraformOptions, () => {
  test("changes and deletes nothing on another server than it was made for", async () => {
    const [planned, other] = [await startEmbedded(), await startEmbedded()];
    onTestFinished(async () => {
      await Promise.all([planned.close(), other.close()]);
    });
    // The provider reads it anew in each run.
    const env = { ...environmentOf(planned) };
    const cli = await createTerraformSandbox(env);
    const names = ["changed", "deleted", "replaced", "tainted"];
    const before = names.map((name) => role(name, name)).join("");
    for (const servers of [planned, other]) {
      for (const name of names) {
        const settings = { role_type: "jwt", user_claim: "sub", bound_subject: "s", token_ttl: "1h" };
        await vault(servers, "POST", `auth/jwt/role/${name}`, settings);
      }
    }
    cli.write(before);
    expect(await cli.run("apply", "-auto-approve")).toMatchObject({ code: 0 });
    // What was kept of a tainted record is in no plan.
    expect(await cli.run("taint", "trustplane_jwt_role.tainted")).toMatchObject({ code: 0 });
    const state = cli.state();
    cli.write(role("changed", "changed", "2h") + role("replaced", "another") + role("tainted", "tainted", "2h"));
    expect(await cli.run("plan", "-out=saved")).toMatchObject({ code: 0 });

    Object.assign(env, environmentOf(other));
    let text = "";
    const writes = await writesOf(async () => {
      const applied = await cli.run("apply", "saved");
      text = inOneLine(applied.text);
      expect(applied.code).toBe(1);
    });
    expect(writes).toEqual([]);
    expect(text.match(/the state was written to another server/g)).toHaveLength(4);
    expect(text).toContain("refresh once with TRUSTPLANE_REBUILT=secrets");
    expect(attributesIn(cli.state())).toEqual(attributesIn(state));
    for (const name of names) {
      expect(await vault(other, "GET", `auth/jwt/role/${name}`)).toMatchObject({ json: { data: { token_ttl: 3600 } } });
    }
    Object.assign(env, environmentOf(planned));
    expect(await cli.run("apply", "-auto-approve")).toMatchObject({ code: 0 });
    expect(await vault(planned, "GET", "auth/jwt/role/deleted")).toMatchObject({ status: 404 });
  });
});
