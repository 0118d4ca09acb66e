import { describe, expect, it } from "vitest";
import { readPreview } from "../../cli/sources/read-stack.ts";
import { HIDDEN_SUBJECT, SECRETS } from "../support/terraform-program.ts";
import { run } from "./drift-harness.ts";
import { planWith, type ResourceChange, recording } from "./terraform-harness.ts";

const comment = (plan: string, ...flags: string[]) =>
  run(["comment", "-", "--stack", "acme/platform", "--dry-run", ...flags], {}, plan);
const only = (address: string, change: (each: ResourceChange) => void) =>
  planWith((changes, whole) => {
    // Of the rest a plan has its changes, too.
    for (const beside of ["prior_state", "resource_drift"]) delete whole[beside];
    const found = changes.filter((each) => each.address === address);
    for (const each of found) change(each);
    changes.splice(0, changes.length, ...found);
  });
const ROLE = "trustplane_jwt_role.deploy[0]";

describe("a plan of Terraform", () => {
  it("is a comment with addresses, attributes and fingerprints", async () => {
    const { code, out, err } = await comment(recording("change"));
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("1 to replace, 6 to update, 1 to create, 3 unchanged");
    expect(out).toContain("`trustplane_jwt_role_set.jobs` (`auth/jobs/role`), because `mount` changes.");
    expect(out).toMatch(/^\* \*\*move\*\* `sys.AuthMount` `trustplane_sys_auth_mount.jobs`/m);
    expect(out).toMatch(/- token_ttl: .*\n\+ token_ttl: "2h"/);
    expect(out).toMatch(/- secret_key: \[secret, fingerprint \w{8}\]\n\+ secret_key: \[secret, fingerprint \w{8}\]/);
    expect(out).toMatch(/- value: \[secret, fingerprint \w{8}\]\n\+ value: \[secret, fingerprint \w{8}\]/);
    expect(out).toContain('+ policy["secret/*"]');
    expect(out).not.toContain("differs, the preview");
    expect(out).toContain("now get the policy `deploy`: the role is new. By role `ci-new`");
    expect(out).toContain("`trustplane_jwt_role_set.jobs` `roles.test.bound_subject` binds nobody");
    for (const secret of [...SECRETS, HIDDEN_SUBJECT]) expect(out).not.toContain(secret);
  });

  it("of a first apply creates everything, and knows what is not known yet", async () => {
    const preview = readPreview(recording("creation"));
    expect(preview?.steps.map(({ operation }) => operation)).toEqual(Array.from({ length: 11 }, () => "create"));
    expect(preview?.steps.find(({ name }) => name === "trustplane_policy_parameter.secret")).toMatchObject({
      after: { key: "secret", sensitive: true },
    });
    expect((await comment(recording("creation"))).code).toBe(0);
  });

  it("names what may write over a record that is there, which no plan shows", async () => {
    const plan = only('module.teams.trustplane_jwt_role.ci["new"]', ({ change }) => {
      change["after"] = { ...(change["after"] as object), take_over: "always" };
    });
    const { out } = await comment(plan);
    expect(out).toMatch(
      /\*\*Takes over what is there\*\*\n\n\* `jwt.Role` .* writes over what is there, if anything is: its `take_over` is `always`/,
    );
    expect((await comment(recording("change"))).out).not.toContain("Takes over");
  });

  it.each<readonly [what: string, roles: object, unknown: unknown, isNamed: boolean]>([
    ["gains a record", { build: {}, test: {}, other: {} }, {}, true],
    ["gains what is not known yet", {}, { roles: true }, true],
    ["changes and loses records alone", { build: { token_ttl: 60 } }, {}, false],
  ])("names a set that may write over a record that is there where it %s", async (_, roles, unknown, isNamed) => {
    const plan = only("trustplane_jwt_role_set.jobs", ({ change }) => {
      const after = { ...(change["before"] as object), take_over: "always", roles };
      Object.assign(change, { actions: ["update"], after, after_unknown: unknown, replace_paths: [] });
    });
    const { out } = await comment(plan);
    const said =
      "`jwt.RoleSet` `trustplane_jwt_role_set.jobs` (`auth/jobs/role`) writes over what is there, if anything is";
    expect(out.includes(said)).toBe(isNamed);
  });

  it("shows that what the program keeps secret changes, and not how", async () => {
    const plan = only(ROLE, ({ change }) => {
      change["after"] = { ...(change["after"] as object), bound_subject: "another-hidden-one", token_ttl: "1h" };
    });
    const { out } = await comment(plan);
    expect(out).toContain("- bound_subject: [secret]\n+ bound_subject: [secret]");
    expect(out).not.toContain("another-hidden-one");
  });

  it("leaves values open that are known after the apply", async () => {
    const plan = only(ROLE, ({ change }) => {
      change["after_unknown"] = { bound_claims: { ref: [false, true] }, token_policies: true };
      change["after"] = { ...(change["after"] as object), bound_claims: { ref: ["a"] } };
    });
    const { out } = await comment(plan);
    expect(out).toContain('+ bound_claims: {"ref":["a","(not known yet)"]}');
    expect(out).toContain("+ token_policies[]: (not known yet)");
  });

  it.each<readonly [what: string, change: (each: ResourceChange) => void, said: string]>([
    [
      "a replacement that makes first",
      ({ change }) => {
        change["actions"] = ["create", "delete"];
      },
      "1 to replace",
    ],
    [
      "a deletion",
      ({ change }) => Object.assign(change, { actions: ["delete"], after: null, after_unknown: {} }),
      "1 to delete",
    ],
    ["an import", ({ change }) => Object.assign(change, { actions: ["no-op"], importing: { id: "x" } }), "1 to import"],
    [
      "a read",
      ({ change }) => {
        change["actions"] = ["read"];
      },
      "nothing to do",
    ],
    [
      "a data source",
      (each) => {
        each.mode = "data";
      },
      "nothing to do",
    ],
    [
      "a record that is let go",
      ({ change }) => Object.assign(change, { actions: ["forget"], after: null }),
      "removed from the state",
    ],
    [
      "a repair",
      ({ change }) => Object.assign(change, { after: change["before"], after_unknown: { incomplete: true } }),
      "! only internal values differ",
    ],
  ])("knows %s", async (_, change, said) => {
    expect((await comment(only(ROLE, change))).out).toContain(said);
  });

  it("names what is secret or has another name as the program does, in a set too", async () => {
    const plan = only("trustplane_jwt_role_set.jobs", ({ change }) => {
      const roles = { build: { bound_claims: { userClaim: "w" } }, test: { token_ttl: 60 } };
      Object.assign(change, { actions: ["update"], after: { ...(change["before"] as object), roles } });
    });
    const { out } = await comment(plan);
    expect(out).toContain("roles.build.bound_claims.userClaim");
  });

  it("that failed says so in a comment, and is refused by what needs all of it", async () => {
    expect((await comment(recording("failed"))).out).toContain("**Preview of `acme/platform` failed**");
    const { code, err } = await run(["lint"], {}, recording("failed"));
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining("the preview failed") });
  });

  it("for some targets is known to leave out the others", () => {
    const plan = planWith((changes, whole) => {
      changes.splice(0, changes.length, ...changes.filter(({ address }) => address === ROLE));
      // OpenTofu does not say that it is not complete.
      delete whole["complete"];
    });
    expect(readPreview(plan)).toMatchObject({ unlisted: 8, unchanged: 0, part: "targets" });
  });

  it("needs the name of the stack, which it does not have", async () => {
    const { code, err } = await run(["comment", "-", "--dry-run"], {}, recording("change"));
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("give --stack") });
  });

  it("is what every command reads that takes a preview", async () => {
    const text = recording("change");
    const policy = await run(["permissions", "--only", "secrets", "--preview", "-"], {}, text);
    expect(policy.out).toContain('path "auth/jwt/role/ci-new"');
    const map = await run(["map", "--mermaid"], {}, text);
    expect(map).toMatchObject({ code: 0, out: expect.stringContaining("deploy") });
    const who = await run(["explain", "who", "--policy", "deploy", "--state", "-"], {}, text);
    expect(who).toMatchObject({ code: 0, out: expect.stringContaining("ci-new") });
  });
});
