import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderOfSuite } from "../support/temporary-folder.ts";
import { run } from "./drift-harness.ts";
import { previewJson, type WantedStep } from "./preview-text.ts";
import { planWith, recording } from "./terraform-harness.ts";

const folder = folderOfSuite();
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const LOGIN = "mount: jobs, role: deploy, claims: { sub: y }";

const COMMANDS = {
  comment: ["comment", "--dry-run", "--stack", "x", "-"],
  lint: ["lint", "-"],
  map: ["map", "-"],
  permissions: ["permissions", "-"],
  test: ["test", file("trust.yml", `tests:\n  - name: nobody\n    login: { ${LOGIN} }\n    expect: refused\n`), "-"],
  who: ["explain", "who", "--policy", "deploy", "-"],
  role: ["explain", "role", "deploy", "-"],
  drift: ["drift", "-"],
  doctor: ["doctor", "-"],
  adopt: ["adopt", "--out", join(folder, "out"), "--from-state", join(folder, "given.json")],
} as const;
type Command = keyof typeof COMMANDS;

/** The exit code, and how the first line begins: what is said beside an answer comes first. */
type Answer = readonly [code: number, first: string];
type Answers = Readonly<Record<Command, Answer>>;

/** `ofStack`: where nothing else is said, the answer of the commands that look at a state or a preview. */
const answers = (ofStack: Answer, more: Partial<Answers>): Answers => ({
  ...{ lint: ofStack, map: ofStack, permissions: ofStack, test: ofStack, who: ofStack, role: ofStack },
  ...{ comment: ofStack, drift: ofStack, doctor: ofStack, adopt: ofStack },
  ...more,
});
const NO_STATE = [1, "trustplane: the input is a plan, and a state is needed: "] as const;
const NO_STATE_EITHER = [1, "trustplane: the input is a preview, and a state is needed: "] as const;
const NOT_ADOPTED = [1, "trustplane: the file of --from-state is no state: "] as const;
const ofPlan = { drift: NO_STATE, doctor: NO_STATE, adopt: NOT_ADOPTED };
const ofPreview = { drift: NO_STATE_EITHER, doctor: NO_STATE_EITHER, adopt: NOT_ADOPTED };

const role = { mount: "jobs", name: "deploy", roleType: "jwt", boundSubject: "x", userClaim: "sub" };
const given = { ...role, tokenPolicies: ["deploy"] };
const policy = { name: "deploy", policy: 'path "kv/*" { capabilities = ["read"] }' };
const steps = (op: string): WantedStep[] => [
  { op: "same", token: "sys:Policy", name: "deploy", before: policy, after: policy },
  { op, token: "jwt:Role", name: "deploy", before: role, ...(op === "delete" ? {} : { after: given }) },
];
/** As `pulumi refresh --preview-only --json` prints it: the stack itself is refreshed, and is no step of a program. */
const refreshed = (op: string) =>
  previewJson({ steps: steps(op), unchanged: op === "refresh" ? 2 : 1 }).replaceAll('"op":"same"', '"op":"refresh"');
/** As the command prints it with `--target`: neither the stack itself is a step, nor is it counted. */
const ofTarget = (() => {
  const { steps: all, ...more } = JSON.parse(refreshed("update"));
  return JSON.stringify({ ...more, steps: all.slice(2), changeSummary: { update: 1 } });
})();
const PART = "trustplane: this refresh is for a part of the stack: refresh without `--target`.";

const only = (type: string, change: (plan: Record<string, unknown>) => void) =>
  planWith((changes, plan) => {
    changes.splice(0, changes.length, ...changes.filter((each) => each.type === type));
    change(plan);
  });
const LEFT_OUT =
  "trustplane: 8 resources are in the state, and not in this plan: plan without `-target` and `-exclude`.";
const targeted = answers([1, LEFT_OUT], {
  ...ofPlan,
  // What they say is about the resources that they have, and they name the others.
  ...{ comment: [0, "**Preview of `x`**: 1 to update\n"], lint: [0, LEFT_OUT], map: [0, LEFT_OUT] },
});
const DELETED = "trustplane: the preview deletes all 10 resources of trustplane, and the answer is about what is there";
const DEFERS = "trustplane: this plan is for a part of the program: apply what it has, then plan what it defers.";
const FAILED = "trustplane: the preview failed, so some resources are missing from it";
const UNLISTED = "trustplane: 3 unchanged resources are not in this preview: run the preview with `--show-sames`.";
const NOTHING =
  "trustplane: the state has no resource, so there is nothing to look at: check that it is that of the right";
const NO_PREVIEW = [1, "trustplane: the input is a state, and a preview or a drift report is needed"] as const;
const NOT_OLD = [1, "trustplane: the state has no resource of the vault, consul or tfe provider."] as const;
const NO_CONNECTION = [1, "trustplane: nothing names a connection."] as const;
const ofState = { comment: NO_PREVIEW, adopt: NOT_OLD, doctor: NO_CONNECTION };
const LEAVING =
  "trustplane: records that still have to be deleted are looked at only for who gets in: auth/jobs/role/old.\ntrustplane: what an ";
const NEWER = "trustplane: this release does not know trustplane:jwt/newThing:NewThing, and does not look at it";
const recorded = (type: string, name: string) => ({ urn: `urn:pulumi:dev::p::${type}::${name}`, type, custom: true });
const stateOf = (resources: readonly object[]) => {
  const pending_operations = [{ resource: recorded("trustplane:jwt/role:Role", "begun"), type: "creating" }];
  return JSON.stringify({ version: 3, deployment: { resources, pending_operations } });
};

const INPUTS: Readonly<Record<string, readonly [text: string, Answers]>> = {
  "an empty file": [
    "",
    answers([1, "trustplane: the standard input is empty, and so no state of a stack and no preview"], {
      ...{ comment: [0, "**Preview of `x` failed**"], adopt: [1, "trustplane: the file of --from-state is no JSON"] },
    }),
  ],
  "a file that was cut": [
    recording("state").slice(0, 4000),
    answers([1, "trustplane: this is no state of a stack"], {
      ...{ comment: [0, "**Preview of `x` failed**"], adopt: [1, "trustplane: the file of --from-state is no JSON"] },
    }),
  ],
  "a state without a resource": [
    '{"version":3,"deployment":{"resources":[]}}',
    answers([1, NOTHING], {
      ...{ ...ofState, drift: [1, "trustplane: the state has no resource, so there is nothing to compare"] },
    }),
  ],
  "a state that an interrupted run has left": [
    stateOf([
      { ...recorded("trustplane:jwt/role:Role", "deploy"), id: "auth/jobs/role/deploy", inputs: given, outputs: given },
      {
        ...recorded("trustplane:jwt/role:Role", "old"),
        id: "auth/jobs/role/old",
        inputs: { ...role, name: "old" },
        delete: true,
      },
    ]),
    answers([0, LEAVING], { ...ofState, ...{ drift: [1, "trustplane: "], doctor: [2, "secrets"] } }),
  ],
  "a state of a newer release": [
    stateOf([recorded("trustplane:jwt/newThing:NewThing", "new")]),
    answers([1, NEWER], {
      ...ofState,
      drift: [1, "Incomplete, drift cannot be ruled out in p/dev: 1 resource, 1 could not"],
    }),
  ],
  "a plan of -refresh-only": [
    recording("refresh-only"),
    answers([0, "Role deploy of auth/jwt: Every token of https://ci.example.com"], {
      ...ofPlan,
      comment: [0, "**Preview of `x`**: 2 changed on the servers, 9 unchanged\n"],
      lint: [2, "warning: jwt.Role trustplane_jwt_role.deploy[0]: token_policies[1] is named like an administrator's"],
      map: [0, "1 issuer, 2 auth methods, 4 roles, 2 policies, "],
      permissions: [0, "# Connection policy: "],
      test: [2, "FAILED  nobody"],
    }),
  ],
  "a plan with -target": [only("trustplane_sys_policy", (plan) => Object.assign(plan, { complete: false })), targeted],
  "a plan with -target of OpenTofu": [
    only("trustplane_sys_policy", (plan) => {
      delete plan["complete"];
    }),
    targeted,
  ],
  "a plan that defers changes": [
    planWith((_, plan) =>
      Object.assign(plan, { complete: false, deferred_changes: [{ reason: "resource_config_unknown" }] }),
    ),
    answers([1, DEFERS], {
      ...ofPlan,
      ...{ comment: [0, "**Preview of `x`**: 1 to replace, 6 to update"], lint: [2, DEFERS], map: [0, DEFERS] },
    }),
  ],
  "a plan with -destroy": [
    planWith((changes) => {
      for (const { change } of changes) Object.assign(change, { actions: ["delete"], after: null, after_unknown: {} });
    }),
    answers([0, DELETED], {
      ...ofPlan,
      ...{ comment: [0, "**Preview of `x`**: 11 to delete\n"], permissions: [0, "# Connection policy: "] },
      ...{ test: [2, DELETED], who: [1, DELETED], role: [1, DELETED] },
    }),
  ],
  "a plan that failed": [
    recording("failed"),
    answers([1, FAILED], { ...ofPlan, comment: [0, "**Preview of `x` failed**, so far: "] }),
  ],
  "a preview without what does not change": [
    previewJson({ steps: [], unchanged: 3 }),
    answers([1, UNLISTED], { ...ofPreview, comment: [0, "**Preview of `x`**: 3 unchanged\n"] }),
  ],
  "the same with a deletion": [
    previewJson({ steps: steps("delete").slice(1), unchanged: 3 }),
    answers([1, UNLISTED], { ...ofPreview, comment: [0, "**Preview of `x`**: 1 to delete, 3 unchanged\n"] }),
  ],
  "a preview that failed half-way": [
    previewJson({ steps: steps("update"), errors: ["no"], unchanged: 1 }),
    answers([1, FAILED], {
      ...ofPreview,
      comment: [0, "**Preview of `x` failed**, so far: 1 to update, 1 unchanged\n"],
    }),
  ],
  "a preview that refreshes first": [
    previewJson({ steps: steps("refresh").slice(1), unchanged: 3 }),
    answers([1, UNLISTED], { ...ofPreview, comment: [0, "**Preview of `x`**: 3 unchanged\n"] }),
  ],
  "a refresh that finds no change": [
    refreshed("refresh"),
    answers([0, 'Role deploy of auth/jobs: Every token whose sub is "x".'], {
      ...ofPreview,
      ...{ comment: [0, "**Preview of `x`**: 2 unchanged\n"], lint: [0, "2 resources looked at: 0 notes"] },
      ...{ map: [0, "1 auth method, 1 role, 1 policy"], permissions: [0, "# Connection secrets: "] },
      test: [0, "ok      nobody"],
    }),
  ],
  "a refresh of one role with --target": [
    ofTarget,
    answers([1, PART], {
      ...ofPreview,
      comment: [0, "**Preview of `x`**: 1 changed on the servers\n"],
      ...{ lint: [0, PART], map: [0, PART] },
    }),
  ],
  "a refresh that finds a role gone": [
    refreshed("delete"),
    answers([0, "Nobody gets policy deploy from this stack."], {
      ...ofPreview,
      comment: [0, "**Preview of `x`**: 1 changed on the servers, 1 unchanged\n"],
      ...{ lint: [0, "1 resource looked at: 0 notes"], map: [0, "1 policy, 1 path; "] },
      ...{ permissions: [0, "# Connection secrets: "], test: [2, "FAILED  nobody"] },
      role: [1, "trustplane: the stack has no role deploy."],
    }),
  ],
};

const impatient = { VAULT_MAX_RETRIES: "0" };

it("drift names what an interrupted run has left, too", async () => {
  const [text] = INPUTS["a state that an interrupted run has left"] ?? [""];
  const { out } = await run(["drift", "-", "--json"], impatient, text);
  expect(JSON.parse(out).notLookedAt).toEqual([
    "records that still have to be deleted are looked at only for who gets in: auth/jobs/role/old",
    "what an interrupted run may have done is not looked at: creating jwt.Role begun",
  ]);
});

it("who gets in by a record that still has to be deleted is told, and tested", async () => {
  const old = {
    ...recorded("trustplane:jwt/role:Role", "old"),
    id: "auth/jobs/role/deploy",
    inputs: given,
    delete: true,
  };
  const state = stateOf([{ ...recorded("trustplane:sys/policy:Policy", "deploy"), id: "deploy", inputs: policy }, old]);
  const { code, out } = await run(COMMANDS.who, {}, state);
  expect([code, out]).toEqual([0, 'Role deploy of auth/jobs: Every token whose sub is "x".\n']);
  const never = file("never.yml", "tests:\n  - name: n\n    never: { mount: jobs, policy: deploy }\n");
  expect(await run(["test", never, "-"], {}, state)).toMatchObject({ code: 2 });
});

describe.each(Object.entries(INPUTS))("of %s", (_, [text, expected]) => {
  it.each(Object.entries(COMMANDS))("trustplane %s says what it is about", async (command, words) => {
    file("given.json", text);
    const { code, out, err } = await run(words, command === "drift" ? impatient : {}, text);
    const [wanted, first] = expected[command as Command];
    expect({ code, said: (err + out).slice(0, first.length) }).toEqual({ code: wanted, said: first });
  });
});

it.each([
  [
    "a mount with all that was in it",
    [
      { op: "delete", token: "sys:AuthMount", name: "jobs", before: { path: "jobs", type: "jwt" } },
      { op: "delete", token: "jwt:Config", name: "jobs", before: { mount: "jobs", boundIssuer: "https://git.test" } },
      { op: "delete", token: "jwt:Role", name: "deploy", before: given },
    ],
    "* Tokens of `https://git.test` with the subject `x` no longer get the policy `deploy`: the role is gone. By role `deploy` of `auth/jobs`.",
  ],
  [
    "a lease limit",
    [{ op: "delete", token: "cloud:LeaseConfig", name: "lease", before: { mount: "cloud", leaseMax: "2h" } }],
    "* Credentials of cloud users of `cloud` now live as long as the mount says: what said it is gone.",
  ],
  [
    "a root key",
    [{ op: "delete", token: "cloud:RootConfig", name: "root", before: { mount: "cloud", accessKey: "AKIAEXAMPLE" } }],
    "* From which account and with which rights credentials of `cloud` come cannot be told: without a root key, they come by what the server itself has, if anything.",
  ],
])("a refresh that finds %s gone leaves nothing there", async (_, gone, sentence) => {
  const found = previewJson({ steps: gone }).replace('"op":"same"', '"op":"refresh"');
  const { out } = await run(COMMANDS.comment, {}, found);
  expect(/\*\*Who can become what\*\*\n\n(.*?)\n\n/s.exec(out)?.[1]).toBe(sentence);
});
