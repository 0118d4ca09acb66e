/** Policies that the server has of its own, not in lists, and that nobody can change. Asked of Vault 1.21.1 and 1.19.0. */
export const fixedPolicies: Readonly<Record<string, string>> = {
  "response-wrapping": fixedText("cubbyhole/response", '"create", "read"'),
  "control-group": fixedText("cubbyhole/control-group", '"update", "create", "read"'),
};

export function isFixed(name: string): boolean {
  return name === "root" || Object.hasOwn(fixedPolicies, name);
}

function fixedText(path: string, capabilities: string): string {
  return `
path "${path}" {
    capabilities = [${capabilities}]
}

path "sys/wrapping/unwrap" {
    capabilities = ["update"]
}
`;
}
