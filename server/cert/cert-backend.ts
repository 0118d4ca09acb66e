import type { X509Certificate } from "node:crypto";
import {
  type Backend,
  type BackendOptions,
  definePath,
  type LeaseTerms,
  type Login,
  type LoginRenewal,
  listing,
  nameSegment,
  type OperationRequest,
  type Path,
} from "../framework/backend";
import { isWithinBounds } from "../framework/bound-address";
import { normalizedPolicies } from "../framework/normalized-policies";
import { Failure, Refusal } from "../framework/refusal";
import type { Storage } from "../framework/storage";
import { grantedToken, tokenTerms } from "../framework/token-fields";
import { extensionsOf, keyIdentifiers, textIn } from "./certificate-extensions";
import { namesOf } from "./certificate-names";
import { type RoleRecord, roleFields, roleWarnings, shownRole, writtenRole } from "./certificate-role";
import { matchingRole, type NamedRole } from "./matching-role";

const loginFields = { name: "string" } as const;

/** The certificate auth method: which certificates are trusted, and the login with one that the client shows in TLS. */
export function createCertBackend({ storage, now }: BackendOptions): Backend {
  return {
    unsupported: ["config", "crls(?:/.*)?"],
    paths: [
      ...rolePaths(storage),
      definePath({
        pattern: "login",
        fields: loginFields,
        operations: {
          update: (request) => ({ login: loginFor(rolesIn(storage, request.data.get("name")), request, now()) }),
        },
      }),
    ],
    loginPaths: ["login"],
    renewalTerms: (role, renewal) => renewalTerms(storage, role, { ...renewal, now: now() }),
  };
}

/** `certs/:name` and its listing. Names are kept in lower case. */
function rolePaths(storage: Storage): readonly Path[] {
  return [
    definePath({
      pattern: "certs/?",
      fields: {},
      operations: { list: () => listing(storage.list("cert/")) },
    }),
    definePath({
      pattern: `certs/${nameSegment("name")}`,
      fields: roleFields,
      operations: {
        read: ({ data }) => {
          const role = storage.get<RoleRecord>(`cert/${data.get("name")}`);
          return role && { data: shownRole(role) };
        },
        update: ({ data, mount }) => {
          const path = `cert/${data.get("name")}`;
          const role = writtenRole(storage.get<RoleRecord>(path), data);
          storage.put(path, role);
          const warnings = roleWarnings(role, mount);
          return warnings.length > 0 ? { warnings } : undefined;
        },
        delete: ({ data }) => {
          storage.delete(`cert/${data.get("name")}`);
          return undefined;
        },
      },
    }),
  ];
}

/** The role of this name; without a name, all. */
function rolesIn(storage: Storage, name: string): readonly NamedRole[] {
  const names = name === "" ? storage.list("cert/") : [name.toLowerCase()];
  return names.flatMap((each) => {
    const role = storage.get<RoleRecord>(`cert/${each}`);
    return role === undefined ? [] : [{ name: each, role }];
  });
}

function loginFor(
  roles: readonly NamedRole[],
  { remoteAddress, clientCertificates }: OperationRequest<typeof loginFields>,
  now: Date,
): Login {
  const { name, role, certificate } = matchingRole(roles, { certificates: clientCertificates, now });
  if (!isWithinBounds(remoteAddress, role.token_bound_cidrs)) throw new Refusal("permission denied", { status: 403 });
  const { commonName } = namesOf(certificate);
  return {
    ...grantedToken(role),
    alias: commonName,
    displayName: role.display_name,
    groups: [],
    aliasMetadata: null,
    metadata: metadataOf(certificate, { name, role }),
    role: name,
  };
}

function metadataOf(certificate: X509Certificate, { name, role }: NamedRole): Readonly<Record<string, string>> {
  const extensions = extensionsOf(certificate);
  const keys = keyIdentifiers(extensions);
  const shown = (role.allowed_metadata_extensions ?? []).flatMap((id) => {
    const extension = extensions.get(id);
    // Dots could not stand in a policy's template.
    return extension === undefined ? [] : [[id.replaceAll(".", "-"), textIn(extension) ?? ""] as const];
  });
  return {
    cert_name: name,
    common_name: namesOf(certificate).commonName,
    serial_number: BigInt(`0x${certificate.serialNumber}`).toString(),
    subject_key_id: keys.own,
    authority_key_id: keys.issuer,
    ...Object.fromEntries(shown),
  };
}

/** A renewal shows the certificate again. @throws Refusal or Failure */
function renewalTerms(
  storage: Storage,
  name: string,
  { clientCertificates, metadata, policies, now }: LoginRenewal & { readonly now: Date },
): LeaseTerms {
  const { role, certificate } = matchingRole(rolesIn(storage, name), { certificates: clientCertificates, now });
  const keys = keyIdentifiers(extensionsOf(certificate));
  if (metadata["subject_key_id"] !== keys.own && metadata["authority_key_id"] !== keys.issuer) {
    throw new Failure(
      "failed to renew entry: client identity during renewal not matching client identity used during login",
    );
  }
  const [had, has] = [policies, role.token_policies].map((each) =>
    normalizedPolicies(each, { addDefault: true }).join(),
  );
  if (had !== has) throw new Failure("failed to renew entry: policies have changed, not renewing");
  return tokenTerms(role);
}
