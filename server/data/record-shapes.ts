import { z } from "zod";

/** What the records of each collection look like, by its name or the beginning of it. Members may be added. */
const text = z.string();
const number = z.number();
const flag = z.boolean();
const texts = z.array(text);
const textMap = z.record(text, text);
const anything = z.record(text, z.unknown());
const links = z.array(z.looseObject({ ID: text, Name: text }));
const policies = { attachedPolicies: texts, inlinePolicies: textMap };
const accessKey = { accessKeyId: text, secretKey: text, sessionToken: text.optional() };

const shapes: Readonly<Record<string, z.ZodType>> = {
  clock: number,
  "cloud/deleted-keys": flag,
  "cloud/groups": z.looseObject({ name: text, ...policies }),
  "cloud/machine": text,
  "cloud/mfa-devices": z.looseObject({ serialNumber: text, userName: text, secret: text }),
  "cloud/policies": z.looseObject({ arn: text, document: text }),
  "cloud/roles": z.looseObject({ arn: text, externalId: text.nullable(), maxSessionSeconds: number }),
  "cloud/sessions": z.looseObject({
    ...accessKey,
    kind: z.enum(["assumed_role", "federation_token", "session_token"]),
    arn: text,
    issuedTo: text,
    region: text,
    issuedMs: number,
    expiresMs: number,
    policy: text.nullable(),
    policyArns: texts,
    tags: textMap,
    externalId: text.nullable(),
    isMfaPresent: flag,
  }),
  "cloud/settings": number,
  "cloud/used-mfa-steps": number,
  "cloud/users": z.looseObject({
    name: text,
    id: text,
    path: text,
    accessKeys: z.array(z.looseObject({ ...accessKey, goodFromMs: number })),
    groups: texts,
    ...policies,
    permissionsBoundary: text.nullable(),
    tags: textMap,
  }),
  "cluster/acl-indexes": number,
  "cluster/acl-policies": z.looseObject({ ID: text, Name: text, Description: text, Rules: text }),
  "cluster/acl-roles": z.looseObject({ ID: text, Name: text, Description: text, Policies: links.optional() }),
  "cluster/acl-tokens": z.looseObject({
    AccessorID: text,
    SecretID: text,
    Description: text,
    Policies: links.optional(),
    Roles: links.optional(),
    Local: flag,
    AuthMethod: text.optional(),
    ExpirationTime: text.optional(),
    CreateTime: text,
  }),
  "cluster/auth-method-indexes": number,
  "cluster/auth-methods": z.looseObject({
    Name: text,
    Type: text,
    maxTokenSeconds: number,
    TokenLocality: text,
    Config: anything.nullable(),
  }),
  "cluster/binding-rules": z.looseObject({ ID: text, AuthMethod: text, BindType: text, BindName: text }),
  "cluster/config-entries": z.looseObject({
    kind: text,
    name: text,
    members: anything,
    createIndex: number,
    modifyIndex: number,
  }),
  "cluster/identifiers": text,
  "cluster/indexes": number,
  "cluster/peerings": z.looseObject({
    id: text,
    name: text,
    partition: text,
    state: z.enum(["PENDING", "ESTABLISHING", "DELETING", "TERMINATED"]),
    deletedMs: number.optional(),
    meta: textMap,
    peerId: text,
    peerCaPems: texts,
    peerServerName: text,
    peerServerAddresses: texts,
    manualServerAddresses: texts,
    remote: anything,
    createIndex: number,
    modifyIndex: number,
    establishmentSecret: text,
    pendingStreamSecret: text,
    streamSecret: text,
  }),
  "cluster/root": z.looseObject({
    uuid: text,
    id: text,
    keyId: text,
    rootPem: text,
    notBefore: text,
    notAfter: text,
  }),
  "cluster/scripted": flag,
  identifiers: text,
  "issuer/client": z.looseObject({ redirectUris: texts, responseMode: z.enum(["query", "form_post"]) }),
  "issuer/identifiers": text,
  "issuer/users": z.looseObject({ sub: text, claims: anything, userinfoClaims: anything }),
  "policy/neighbours": z.looseObject({
    id: text,
    type: text,
    organization: text,
    attributes: anything,
    createdAt: text,
  }),
  "policy/parameters/": z.looseObject({ id: text, key: text, value: text, category: text, sensitive: flag }),
  "policy/sets": z.union([
    flag,
    z.looseObject({
      id: text,
      organization: text,
      attributes: anything,
      related: z.record(text, texts),
      createdAt: text,
      updatedAt: text,
      versions: texts,
    }),
  ]),
  "policy/versions": z.looseObject({ id: text, policySet: text, createdAt: text, readyAt: text.optional() }),
  "secrets/identifiers": text,
  "secrets/leases": z.looseObject({
    id: text,
    path: text,
    tokenId: text,
    secret: z.looseObject({ ttlSeconds: number, maxTtlSeconds: number, isRenewable: flag, internal: anything }),
    issuedMs: number,
    expiresMs: number,
    renewedMs: number.optional(),
    attempts: number,
    retryMs: number,
  }),
  "secrets/migrations": z.looseObject({
    migration_id: text,
    migration_info: z.looseObject({ source_mount: text, target_mount: text, status: text }),
  }),
  "secrets/mounts": z.looseObject({
    kind: z.enum(["auth", "secret"]),
    path: text,
    type: text,
    description: text,
    accessor: text,
    uuid: text,
    local: flag,
    sealWrap: flag,
    options: textMap.nullable(),
    runningVersion: text,
    pluginVersion: text.optional(),
    config: z.looseObject({
      defaultLeaseSeconds: number,
      maxLeaseSeconds: number,
      forceNoCache: flag,
      listingVisibility: text,
      tokenType: text.optional(),
      trimsSlashes: flag.optional(),
      identityTokenKey: text.optional(),
      userLockout: z
        .looseObject({ threshold: number, durationSeconds: number, counterResetSeconds: number, isDisabled: flag })
        .optional(),
      lists: z.record(text, texts),
    }),
    isTainted: flag,
  }),
  "secrets/namespaces": z.looseObject({ id: text, path: text, metadata: textMap }),
  "secrets/policies": text,
  "secrets/policy-settings": z.looseObject({
    version: number,
    modifiedMs: number,
    casRequired: flag,
    expirationMs: number.optional(),
    allowsWildcards: flag,
    allowsSlashes: flag,
  }),
  "secrets/seal": flag,
  // Every back end knows its own records.
  "secrets/storage/": z.unknown(),
  "secrets/tokens": z.looseObject({
    id: text,
    accessor: text,
    policies: texts,
    path: text,
    meta: textMap.nullable(),
    displayName: text,
    usesLeft: number,
    parent: text.optional(),
    createdMs: number,
    creationTtlSeconds: number,
    ttlSeconds: number,
    explicitMaxSeconds: number,
    periodSeconds: number,
    expiresMs: number.optional(),
    renewedMs: number.optional(),
    renewable: flag,
    type: text,
    entityId: text,
    boundAddresses: z.array(z.union([text, z.looseObject({ socket: text })])),
    loginRole: text.optional(),
    namespace: text.optional(),
    wrapped: z.looseObject({ body: text, path: text, seconds: number }).optional(),
    loginInternal: textMap.optional(),
    loginGroups: texts.optional(),
  }),
};

/** What is wrong with a record; `undefined` when nothing is. The text never repeats a value: it may be a secret. */
export function shapeProblem(whole: string, record: unknown): string | undefined {
  // The tables of a namespace are those of the root, with its path before their names.
  const collection = whole.replace(/^secrets\/namespace\/[^:]*:/, "");
  const name = Object.hasOwn(shapes, collection)
    ? collection
    : Object.keys(shapes).find((prefix) => prefix.endsWith("/") && collection.startsWith(prefix));
  if (name === undefined) return `there are no records of the kind ${JSON.stringify(collection)}`;
  const [issue] = shapes[name]?.safeParse(record).error?.issues ?? [];
  if (issue === undefined) return undefined;
  return [`a record of ${collection} is no such record`, ...issue.path.map(String), issue.message].join(": ");
}
