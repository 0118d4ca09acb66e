import { changed, defineCase, pathOf, replaced } from "../../support/contract-case.ts";
import { cloudMount } from "./mounts.ts";

const boundary = "arn:aws:iam::123456789012:policy/boundary";
const document = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "s3:*", Resource: "*" }] };
const assumed = {
  credentialType: "assumed_role",
  userPath: undefined,
  permissionsBoundaryArn: undefined,
  iamTags: undefined,
};

export const cloudRoleCase = defineCase("cloudRole", {
  async prepare(world) {
    const mount = await cloudMount(world);
    const path = `${mount}/roles/deploy`;
    const raw = world.raw("secrets");
    return {
      minimal: { mount, name: "deploy", credentialType: "iam_user", policyArns: ["arn:aws:iam::aws:policy/ReadOnly"] },
      full: {
        mount,
        name: "deploy",
        credentialType: "iam_user",
        policyArns: ["arn:aws:iam::aws:policy/B", "arn:aws:iam::aws:policy/A"],
        policyDocument: JSON.stringify(document, null, 2),
        iamGroups: ["ops", "dev"],
        iamTags: { team: "infra", cost: "42" },
        userPath: "/ci/",
        permissionsBoundaryArn: boundary,
        mfaSerialNumber: "arn:aws:iam::123456789012:mfa/root",
      },
      id: path,
      record: pathOf("{mount}/roles/{name}"),
      remove: async () => void (await raw.call(`DELETE ${path}`)),
      async edit() {
        await raw.call(`POST ${path}`, { policy_arns: ["arn:aws:iam::aws:policy/Admin"], iam_tags: { by: "hand" } });
        return { policyArns: ["arn:aws:iam::aws:policy/Admin"], iamTags: { by: "hand" } };
      },
    };
  },
  fields: {
    mount: replaced(async (world) => ({ mount: await cloudMount(world) })),
    name: replaced({ name: "Deploy" }, { without: "required" }),
    credentialType: changed({ ...assumed, roleArns: ["arn:aws:iam::123456789012:role/one"] }, { without: "required" }),
    roleArns: changed(
      { roleArns: ["arn:aws:iam::123456789012:role/two"] },
      { from: { ...assumed, roleArns: ["arn:aws:iam::123456789012:role/one"] } },
    ),
    policyArns: changed({ policyArns: ["arn:aws:iam::aws:policy/C"] }),
    policyDocument: changed({ policyDocument: { ...document, Statement: [] } }),
    iamGroups: changed({ iamGroups: ["sec"] }),
    iamTags: changed({ iamTags: { team: "platform" } }),
    defaultStsTtl: changed({ defaultStsTtl: "30m" }, { from: { ...assumed, defaultStsTtl: "20m" } }),
    maxStsTtl: changed({ maxStsTtl: "2h" }, { from: { ...assumed, maxStsTtl: "1h" } }),
    sessionTags: changed({ sessionTags: { env: "prod" } }, { from: { ...assumed, sessionTags: { env: "test" } } }),
    externalId: changed({ externalId: "two" }, { from: { ...assumed, externalId: "one" } }),
    userPath: changed({ userPath: "/" }),
    permissionsBoundaryArn: changed({ permissionsBoundaryArn: `${boundary}-2` }),
    mfaSerialNumber: changed({ mfaSerialNumber: "GAHT12345678" }),
    policy: { means: "nothing", reason: "rewritten into policyDocument; see traps 33 and 34" },
    arn: { means: "nothing", reason: "rewritten into roleArns or policyArns; see traps 33 and 34" },
  },
  spellings: [
    // @covers cloud: Role > policy_arns
    { title: "the order of sets", one: { policyArns: ["a", "b"] }, other: { policyArns: ["b", "a"] } },
    {
      title: "white space and order in a policy document",
      one: { policyDocument: '{ "a": 1,\n "b": [1, 2] }' },
      other: { policyDocument: '{"b":[1,2],"a":1}' },
    },
    {
      title: "a policy document as text and as object",
      one: { policyDocument: document },
      other: { policyDocument: JSON.stringify(document) },
    },
    { title: "an empty and an unset list", one: { iamGroups: [] }, other: { iamGroups: undefined } },
    { title: "an empty and an unset map", one: { iamTags: {} }, other: { iamTags: undefined } },
    { title: "an empty and an unset path", one: { userPath: "" }, other: { userPath: undefined } },
    { title: "0 and an unset duration", one: { maxStsTtl: 0 }, other: { maxStsTtl: undefined } },
  ],
  requests: {
    create: ["GET {mount}/roles/deploy", "POST {mount}/roles/deploy", "GET {mount}/roles/deploy"],
    update: ["GET {mount}/roles/deploy", "POST {mount}/roles/deploy", "GET {mount}/roles/deploy"],
    read: ["GET {mount}/roles/deploy"],
    delete: ["GET sys/mounts", "GET {mount}/roles/deploy", "DELETE {mount}/roles/deploy", "GET {mount}/roles/deploy"],
  },
});
