import { type Args, type Kind, list } from "./kind.ts";

/** An external group, whose alias names a mount: the server keeps the mount's accessor, and another mount has another one. */
export const group: Kind = {
  resource: "identityGroup",
  token: "identity:Group",
  service: "secrets",
  lives: "auth mount",
  names: { arg: "name", pool: ["engineers", "auditors"] },
  fixed: () => ({ type: "external" }),
  fields: [
    list("policies", "policies"),
    {
      arg: "aliasName",
      value: (_, fresh) => fresh(),
      at: ({ alias, name }) => ownPart(alias?.name, name),
      as: (value) => value,
      in: ({ alias, name }) => ownPart((alias as Args | undefined)?.["name"], name),
    },
  ],
  // A group that gets another name, as another resource, is made before the old one goes, whose alias nobody else can have.
  written: ({ mount, name, aliasName, ...values }) => ({
    ...values,
    name,
    alias: { mount, name: `${String(aliasName)}-${String(name)}` },
  }),
  secrets: () => [],
  path: ({ name }) => `identity/group/name/${String(name)}`,
  id: ({ name }) => `identity/group/name/${String(name)}`,
};

function ownPart(alias: unknown, name: unknown): string {
  return String(alias).replace(`-${String(name)}`, "");
}
