import { describe, expect, test } from "vitest";
import { run } from "../cli/drift-harness.ts";
import { rawApi } from "../support/contract-raw.ts";
import { NO_CHANGES, terraformOptions } from "../support/terraform-life.ts";
import { type TerraformStory, tellTerraform } from "../support/terraform-story.ts";
import { environmentOf } from "./watched-servers.ts";

const SECRETS = { token: "a-secret-of-this-run-1", other: "a-secret-of-this-run-2", changed: "a-secret-of-this-run-3" };
const ADDRESS = "trustplane_policy_parameter_set.all";

/** A policy set, a program with its parameters, and what the server has of them. */
function parametersOf({ servers, cli }: TerraformStory) {
  const set = servers.freshPolicySet();
  const path = `policy-sets/${set}/parameters`;
  const { call } = rawApi("policy", servers.policy);
  const list = async () => {
    const answer = await call(`GET ${path}`);
    // What the API answers to a list.
    return (answer as { data: { id: string; attributes: { key: string; value: string | null } }[] }).data;
  };
  const idOf = async (key: string) => (await list()).find(({ attributes }) => attributes.key === key)?.id;
  return {
    set,
    id: path,
    write: (parameters: string, more = "", rest = "") =>
      cli.write(`
        resource "trustplane_policy_parameter_set" "all" {
          policy_set_id = "${set}"
          parameters    = { ${parameters} }
          ${more}
        }
        ${rest}`),
    list,
    idOf,
    async edit(key: string, attributes: object) {
      await call(`PATCH ${path}/${await idOf(key)}`, { data: { type: "vars", attributes } });
    },
    /** Another parameter of this name. */
    async replace(key: string, attributes: object) {
      await call(`DELETE ${path}/${await idOf(key)}`);
      await call(`POST ${path}`, {
        data: { type: "vars", attributes: { key, category: "policy-set", ...attributes } },
      });
    },
    /** Values by key, secret ones too. */
    async stored() {
      const kept = await Promise.all(
        (await list()).map(async ({ id, attributes: { key } }) => [
          key,
          Object(await servers.stored("policy", `${path}/${id}`)),
        ]),
      );
      return Object.fromEntries(kept.map(([key, { value }]) => [key, value]));
    },
  };
}

describe("a set of parameters through the real Terraform CLI", terraformOptions, () => {
  test("keeps no secret, shows which one changes, and writes that parameter alone", () =>
    tellTerraform(async (story) => {
      const { cli, plan, apply, writesOf } = story;
      const { write, stored, idOf, id } = parametersOf(story);
      const given = (token: string, other = SECRETS.other) => [`-var=token=${token}`, `-var=other=${other}`];
      const variables = ["token", "other"].map((name) => `variable "${name}" {\n ephemeral = true\n }`).join("\n");
      const plain = `region = { value = "eu" }, "api-token" = { sensitive = true }, other = { sensitive = true }`;
      write(plain, `value_wo = { "api-token" = var.token, other = var.other }`, variables);
      const printed: string[] = [];
      const note = async (text: Promise<string>) => {
        printed.push(await text);
        return printed.at(-1) ?? "";
      };
      await note(plan("-out=first", ...given(SECRETS.token)));
      printed.push((await cli.run("show", "-json", "first")).text);
      await note(apply(...given(SECRETS.token)));
      expect(await stored()).toEqual({ "api-token": SECRETS.token, other: SECRETS.other, region: "eu" });
      expect(await plan(...given(SECRETS.token))).toContain(NO_CHANGES);
      printed.push(cli.state());

      const change = await note(plan("-out=second", ...given(SECRETS.changed)));
      expect(change).toContain("Plan: 0 to add, 1 to change, 0 to destroy.");
      expect(change.match(/"[0-9a-f]{8}" -> "[0-9a-f]{8}"/g)).toHaveLength(1);
      expect(change).toMatch(/~ "parameters\[\\"api-token\\"\]\.value" += "[0-9a-f]{8}" -> "[0-9a-f]{8}"/);
      const shown = (await cli.run("show", "-json", "second")).text;
      const comment = await run(["comment", "-", "--stack", "acme/platform", "--dry-run"], {}, shown);
      expect(comment).toMatchObject({ code: 0, err: "", out: expect.stringContaining("1 to update") });
      expect(comment.out.match(/^[-+] .*/gm)).toEqual([
        '- parameters["api-token"].value: [secret]',
        '+ parameters["api-token"].value: [secret]',
      ]);
      printed.push(shown, comment.out);
      const writes = await writesOf(() => note(apply(...given(SECRETS.changed))));
      expect(writes).toEqual([`PATCH /api/v2/${id}/${await idOf("api-token")}`]);
      expect(await stored()).toEqual({ "api-token": SECRETS.changed, other: SECRETS.other, region: "eu" });
      expect(await plan(...given(SECRETS.changed))).toContain(NO_CHANGES);
      printed.push(cli.state());
      for (const secret of Object.values(SECRETS))
        expect(printed.filter((text) => text.includes(secret) || text.includes(base64(secret)))).toEqual([]);
    }));

  test("follows a parameter that gets another name, becomes secret, and is none any more", () =>
    tellTerraform(async (story) => {
      const { cli, plan, apply, writesOf } = story;
      const { write, stored, list } = parametersOf(story);
      const steps: readonly (readonly [string, string, object, readonly string[]])[] = [
        [`a = { value = "shown" }, b = { value = "eu" }`, "", { a: "shown", b: "eu" }, ["POST", "POST"]],
        // Becomes secret, with the value that it has.
        [
          `a = { sensitive = true }, b = { value = "eu" }`,
          `value_wo = { a = "shown" }`,
          { a: "shown", b: "eu" },
          ["PATCH"],
        ],
        [
          `c = { sensitive = true }, b = { value = "eu" }`,
          `value_wo = { c = "${SECRETS.token}" }`,
          { c: SECRETS.token, b: "eu" },
          ["DELETE", "POST"],
        ],
        // By the defaults, which says nothing new.
        [
          `c = {}, b = { value = "eu", sensitive = false }`,
          `defaults = { sensitive = true }\n value_wo = { c = "${SECRETS.token}" }`,
          { c: SECRETS.token, b: "eu" },
          [],
        ],
        [`c = { value = "open" }, b = { value = "eu" }`, "", { c: "open", b: "eu" }, ["DELETE", "POST"]],
      ];
      for (const [parameters, more, wanted, methods] of steps) {
        write(parameters, more);
        const writes = await writesOf(() => apply());
        expect(writes.map((each) => each.split(" ")[0]).sort(), parameters).toEqual(methods);
        expect(await stored()).toEqual(wanted);
        expect(await plan(), parameters).toContain(NO_CHANGES);
        expect(cli.state()).not.toContain(SECRETS.token);
      }
      expect((await list()).map(({ attributes }) => attributes.value).sort()).toEqual(["eu", "open"]);
      expect(cli.state()).toContain('"fingerprints": {}');
    }));

  test("refuses secrets in the wrong place, each at its own", () =>
    tellTerraform(async (story) => {
      const { write } = parametersOf(story);
      write(
        `a = { sensitive = true, value = "x" }, b = { value = "x" }, c = { sensitive = true, value = "x" }`,
        `value_wo = { b = "x", c = "x", d = "x" }`,
      );
      const { code, text } = await story.cli.run("plan");
      const said = text.replaceAll(/[│╷╵\s]+/g, " ");
      expect({ code, said }).toEqual({
        code: 1,
        said: expect.stringContaining(
          "parameters.a.value is secret, and would be kept in the state: give it in value_wo, by the name of its record",
        ),
      });
      expect(said).toContain("value_wo.b cannot be set beside value of the record");
      expect(said).toContain("value_wo.d is of no record in parameters");
      write("a = { value = null }", `value_wo = { a = "x" }`);
      expect((await story.cli.run("plan")).text).toContain("value_wo.a is not secret: give it in parameters");
      write("a = {}", `defaults = { sensitive = true, value = "x" }`);
      expect((await story.cli.run("plan")).text).toContain("defaults.value is secret, and would be kept in the state");
    }));

  test("values, and what makes them secret, may be unknown, at first and in a change", () =>
    tellTerraform(async (story) => {
      const { cli, plan, apply } = story;
      const { write, stored } = parametersOf(story);
      for (const [text, secrets] of [
        ["one", "{ hidden = local.x.text }"],
        ["two", "local.x.secrets"],
      ]) {
        write(
          `open = { value = local.x.text }, hidden = { sensitive = local.x.flag }`,
          `value_wo = ${secrets}`,
          `resource "terraform_data" "x" { input = { text = "${text}", flag = true, secrets = { hidden = "${text}" } } }
           locals { x = terraform_data.x.output }`,
        );
        expect(await plan()).toContain("(known after apply)");
        await apply();
        expect(await stored()).toEqual({ open: text, hidden: text });
        expect(await plan()).toContain(NO_CHANGES);
      }
      expect(cli.state()).toMatch(/"parameters\.hidden\.value": "[0-9a-f]{8}"/);
    }));

  test("is imported, its secrets are sent once, and drift of it shows", () =>
    tellTerraform(async (story) => {
      const { cli, plan, apply, writesOf, servers } = story;
      const { write, id, edit, replace, stored } = parametersOf(story);
      write(`region = { value = "eu" }, token = { sensitive = true }`, `value_wo = { token = "${SECRETS.token}" }`);
      await apply();
      const drift = (...flags: string[]) =>
        run(["drift", "--state", "-", ...flags], environmentOf(servers), cli.state());
      expect(await drift()).toMatchObject({ code: 0, err: "", out: expect.stringMatching(/^No drift: 1 resource/) });
      await edit("region", { value: "us" });
      const found = await drift();
      expect(found).toMatchObject({ code: 2, err: "" });
      expect(found.out).toContain('parameters.region.value: "eu" → "us"');
      expect(found.out).toContain("parameters.token.value: the server shows neither it nor");
      expect(await plan()).toMatch(/~ value += "us" -> "eu"/);
      const repaired = await writesOf(() => apply());
      expect(repaired).toEqual([expect.stringMatching(/^PATCH /)]);

      // Somebody has made it anew, and not secret.
      await replace("token", { value: "by-hand" });
      expect((await drift()).out).toContain("parameters.token: a record → (missing)");
      const refused = await cli.run("plan");
      expect(refused).toMatchObject({ code: 1, text: expect.stringMatching(/exists already with other\s+content:/) });
      expect(await stored()).toMatchObject({ token: "by-hand" });

      await cli.run("state", "rm", ADDRESS);
      expect(await cli.run("import", ADDRESS, id)).toMatchObject({ code: 0 });
      expect(await plan()).toMatch(/fingerprints += \{\} -> \(known after apply\)/);
      const sent = await writesOf(() => apply());
      expect(sent).toEqual([expect.stringMatching(/^PATCH /)]);
      expect(await plan()).toContain(NO_CHANGES);
      expect(await stored()).toEqual({ region: "eu", token: SECRETS.token });
    }));

  test("takes over what single resources had, and they what it had: only secrets are sent again", () =>
    tellTerraform(async (story) => {
      const { cli, plan, apply, writesOf } = story;
      const { set, id, write, stored, idOf } = parametersOf(story);
      const names = ["region", "token"];
      const forgotten = (address: string) => `removed {\n from = ${address}\n lifecycle {\n destroy = false\n }\n }\n`;
      const single = (name: string, value: string) =>
        `resource "trustplane_policy_parameter" "${name}" {
           policy_set_id = "${set}"
           key           = "${name}"
           ${value}
         }\n`;
      const singles = `${single("region", `value = "eu"`)}
        ${single("token", `sensitive = true\n value_wo = "${SECRETS.token}"`)}`;
      cli.write(singles);
      await apply();
      const before = await Promise.all(names.map(idOf));

      write(
        `region = { value = "eu" }, token = { sensitive = true }`,
        `value_wo = { token = "${SECRETS.token}" }`,
        names.map((name) => forgotten(`trustplane_policy_parameter.${name}`)).join(""),
      );
      // OpenTofu goes on with what it forgets.
      expect(await plan()).toContain("Plan: 1 to add, 0 to change, 0 to destroy");
      const asSet = await writesOf(() => apply());
      expect(asSet).toEqual([`PATCH /api/v2/${id}/${before[1]}`]);
      expect(await plan()).toContain(NO_CHANGES);

      cli.write(singles + forgotten(ADDRESS));
      const asSingles = await writesOf(() => apply());
      expect(asSingles).toEqual([`PATCH /api/v2/${id}/${before[1]}`]);
      expect(await plan()).toContain(NO_CHANGES);
      expect(await Promise.all(names.map(idOf))).toEqual(before);
      expect(await stored()).toEqual({ region: "eu", token: SECRETS.token });
      expect(cli.state()).not.toContain(SECRETS.token);
    }));
});

function base64(text: string): string {
  return Buffer.from(text).toString("base64").slice(0, 20);
}
