/** A page of a product's public documentation, and the sections of it that rows come from. */
interface SourcePage {
  readonly product: string;
  readonly title: string;
  readonly address: string;
  /** The word in a tag to the section's heading. */
  readonly sections: Readonly<Record<string, string>>;
}

/** What the tag `@source` of a row can name: `vault/jwt` is a page, `vault/jwt role` a section of it. */
export const sourcePages: Readonly<Record<string, SourcePage>> = {
  "vault/jwt": {
    product: "Vault",
    title: "JWT/OIDC auth method (API)",
    address: "https://developer.hashicorp.com/vault/api-docs/auth/jwt",
    sections: {
      config: "Configure",
      role: "Create/Update role",
      list: "List roles",
      "auth-url": "OIDC authorization URL request",
      login: "JWT login",
    },
  },
  "vault/aws": {
    product: "Vault",
    title: "AWS secrets engine (API)",
    address: "https://developer.hashicorp.com/vault/api-docs/secret/aws",
    sections: {
      root: "Configure root credentials",
      "rotate-root": "Rotate root IAM credentials",
      lease: "Configure lease",
      role: "Create/Update role",
      "read-role": "Read role",
      "list-roles": "List roles",
      credentials: "Generate credentials",
      "static-role": "Create/Update static role",
      "static-credentials": "Get static credentials",
    },
  },
  "vault/auth": {
    product: "Vault",
    title: "/sys/auth",
    address: "https://developer.hashicorp.com/vault/api-docs/system/auth",
    sections: { enable: "Enable auth method", tune: "Tune auth method" },
  },
  "vault/mounts": {
    product: "Vault",
    title: "/sys/mounts",
    address: "https://developer.hashicorp.com/vault/api-docs/system/mounts",
    sections: { enable: "Enable secrets engine", tune: "Tune mount configuration" },
  },
  "vault/policies": {
    product: "Vault",
    title: "/sys/policies",
    address: "https://developer.hashicorp.com/vault/api-docs/system/policies",
    sections: { acl: "Create/Update ACL policy" },
  },
  "vault/identity-group": {
    product: "Vault",
    title: "/identity/group",
    address: "https://developer.hashicorp.com/vault/api-docs/secret/identity/group",
    sections: { name: "Create/Update group by name" },
  },
  "vault/identity-group-alias": {
    product: "Vault",
    title: "/identity/group-alias",
    address: "https://developer.hashicorp.com/vault/api-docs/secret/identity/group-alias",
    sections: { create: "Create a group alias" },
  },
  "vault/namespaces": {
    product: "Vault",
    title: "/sys/namespaces",
    address: "https://developer.hashicorp.com/vault/api-docs/system/namespaces",
    sections: {},
  },
  "openbao/jwt": {
    product: "OpenBao",
    title: "JWT/OIDC auth method (API)",
    address: "https://openbao.org/api-docs/auth/jwt/",
    sections: { config: "Configure", role: "Create/Update role" },
  },
  "consul/peering": {
    product: "Consul",
    title: "Cluster Peering - HTTP API",
    address: "https://developer.hashicorp.com/consul/api-docs/peering",
    sections: {
      token: "Generate a Peering Token",
      establish: "Establish a Peering",
      read: "Read a Peering",
      list: "List all Peerings",
    },
  },
  "consul/exported-services": {
    product: "Consul",
    title: "Exported Services configuration entry reference",
    address: "https://developer.hashicorp.com/consul/docs/reference/config-entry/exported-services",
    sections: { services: "Services", meta: "Meta" },
  },
  "consul/service-intentions": {
    product: "Consul",
    title: "Service intentions configuration entry reference",
    address: "https://developer.hashicorp.com/consul/docs/reference/config-entry/service-intentions",
    sections: {
      name: "Name",
      namespace: "Namespace",
      sources: "Sources",
      jwt: "JWT",
      meta: "Meta",
    },
  },
  "consul/partitions": {
    product: "Consul",
    title: "Admin Partition - HTTP API",
    address: "https://developer.hashicorp.com/consul/api-docs/admin-partitions",
    sections: {},
  },
  "terraform/policy-sets": {
    product: "HCP Terraform",
    title: "Policy sets API",
    address: "https://developer.hashicorp.com/terraform/cloud-docs/api-docs/policy-sets",
    sections: { create: "Create a policy set", list: "List policy sets", update: "Update a policy set" },
  },
  "terraform/policy-set-params": {
    product: "HCP Terraform",
    title: "Policy set parameters API",
    address: "https://developer.hashicorp.com/terraform/cloud-docs/api-docs/policy-set-params",
    sections: { create: "Create a Parameter", list: "List Parameters" },
  },
};

/** Throws for a row without a tag, and for a tag that names no page or section of the table. */
export function assertSource(tag: string | undefined, row: string): void {
  if (tag === undefined) throw new Error(`${row} has no source: end its comment with "@source", see schema/sources.ts`);
  const [key = "", section] = tag.split(" ");
  const page = sourcePages[key];
  if (page && (section === undefined || section in page.sections)) return;
  throw new Error(`schema/sources.ts does not know "@source ${tag}" of ${row}: correct the tag, or add it there`);
}

/** The section that ends a page: every page and section of the rows once, in the order of the table. */
export function sourcesSection(rows: readonly { readonly source?: string | undefined }[]): string {
  const tags = rows.map(({ source }) => source);
  const lines = Object.entries(sourcePages).flatMap(([key, { product, title, address, sections }]) => {
    if (!tags.some((tag) => tag === key || tag?.startsWith(`${key} `))) return [];
    const headings = Object.entries(sections).flatMap(([word, heading]) =>
      tags.includes(`${key} ${word}`) ? [heading] : [],
    );
    return [`* ${product}, [${title}](${address})${headings.length === 0 ? "" : `: ${headings.join(", ")}`}`];
  });
  return lines.length === 0 ? "" : `## Sources\n\n${lines.join("\n")}`;
}
