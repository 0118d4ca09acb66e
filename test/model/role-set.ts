import { type Args, type Kind, local } from "./kind.ts";

const names = ["ci", "app", "deploy"];

/** Settings of each role by its name, as the program writes them. */
type Roles = Readonly<Record<string, Args>>;

export function rolesIn({ roles }: Args): Roles {
  return (roles ?? {}) as Roles;
}

/** A set of roles. The server has no record of the set, only those of its members. */
export const roleSet: Kind = {
  resource: "jwtRoleSet",
  token: "jwt:RoleSet",
  service: "secrets",
  lives: "auth mount",
  fixed: () => ({ defaults: { roleType: "jwt", userClaim: "sub", boundAudiences: ["vault"] } }),
  fields: [
    // Each bit of the number is one of the names.
    local("roles", (n, fresh) => {
      const some = names.filter((_, index) => (n >> index) & 1);
      return Object.fromEntries(some.map((name) => [name, { boundSubject: fresh() }]));
    }),
    local("exclusive", (n) => [undefined, true, true][n % 3]),
    local("ignore", (n) => [undefined, ["legacy-*"], ["foreign", "app"]][n % 3]),
    local("maxDeletes", (n) => [undefined, undefined, 0, 1][n % 4]),
  ],
  written: ({ roles, ...values }) => ({ ...values, roles: withoutUnset(rolesIn({ roles })) }),
  secrets: () => [],
  path: () => undefined,
  id: ({ mount }) => `auth/${String(mount)}/role`,
  members: {
    kind: "jwtRole",
    of: ({ mount, defaults, ...args }) =>
      Object.entries(rolesIn(args)).map(([name, settings]) => ({ mount, name, ...(defaults as Args), ...settings })),
  },
};

function withoutUnset(roles: Roles): Roles {
  const set = (settings: Args) =>
    Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
  return Object.fromEntries(Object.entries(roles).map(([name, settings]) => [name, set(settings)]));
}
