// Programs for Terraform with roles of one mount, alone and in sets.

const SETTINGS = { role_type: "jwt", user_claim: "sub", bound_subject: "s" };
const settings = Object.entries(SETTINGS).map(([name, value]) => `${name} = "${value}"`);

export const role = (address: string, name = "ci", more = "") => `
  resource "trustplane_jwt_role" "${address}" {
    name = "${name}"
    ${settings.join("\n    ")}
    ${more}
  }`;

export const roles = (address: string, ...names: readonly string[]) => roleSet(address, names);

export const roleSet = (address: string, names: readonly string[], more = "") => `
  resource "trustplane_jwt_role_set" "${address}" {
    mount    = "jwt"
    defaults = { ${settings.join(", ")} }
    roles    = { ${names.map((name) => `${name} = {}`).join(", ")} }
    ${more}
  }`;

/** Takes an address out of the state, and leaves its record where it is. */
export const forgotten = (address: string) => `
  removed {
    from = ${address}
    lifecycle { destroy = false }
  }`;
