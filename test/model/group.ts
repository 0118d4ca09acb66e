import { type Kind, list } from "./kind.ts";

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
      at: (stored) => stored.alias?.name,
      as: (value) => value,
      in: ({ alias }) => (alias as { name?: string } | undefined)?.name,
    },
  ],
  written: ({ mount, name, aliasName, ...values }) => ({ ...values, name, alias: { mount, name: aliasName } }),
  secrets: () => [],
  path: ({ name }) => `identity/group/name/${String(name)}`,
  id: ({ name }) => `identity/group/name/${String(name)}`,
};
