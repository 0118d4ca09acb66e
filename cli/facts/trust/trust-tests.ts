/** The form of a file with tests for `trustplane test`. */
export interface TrustTests {
  /** Policies that the stack does not have, by name: as text, in HCL or JSON. */
  readonly policies?: { readonly [name: string]: string };
  /** The tests. Each has a name of its own. */
  readonly tests: readonly (LoginTestForm | NeverTestForm | CloudRoleTestForm | PeerTestForm)[];
}

/** A login, and its expected result. */
export interface LoginTestForm {
  readonly name: string;
  readonly login: LoginForm;
  /** `refused`, or what the token gets. */
  readonly expect: "refused" | GrantedForm;
}

/** A search for a token that gets a policy although it must not. */
export interface NeverTestForm {
  readonly name: string;
  readonly never: NeverForm;
}

/** What a role of a cloud engine hands out, and to whom. */
export interface CloudRoleTestForm {
  readonly name: string;
  readonly cloudRole: CloudRoleForm;
  readonly expect: HandedOutForm;
}

/** Which services a peer may reach. */
export interface PeerTestForm {
  readonly name: string;
  readonly peer: PeerForm;
  readonly expect: ReachedForm;
}

/** Which records a test means, where the stack has some of several servers or namespaces. */
interface PlaceForm {
  /** Name of the connection of the records; `""` for those that name none. */
  readonly connection?: string;
  /** Namespace of the records; `""` for the connection's own. That of the role when unset, if all roles of the name are in one. */
  readonly namespace?: string;
}

export interface LoginForm extends PlaceForm {
  /** Path of the auth method. */
  readonly mount: string;
  /** The role; the auth method's default role when unset. */
  readonly role?: string;
  /** Claims of the token. A list stands for one login with each of its values, so a claim that is a list is written `[[a, b]]`. Issuer, audience and times fit when unset; null leaves a claim out. */
  readonly claims?: { readonly [claim: string]: unknown };
  /** IP address of the client, 127.0.0.1 when unset. */
  readonly address?: string;
  /** Time of the login, such as 2027-01-31T12:00:00Z; now when unset. */
  readonly at?: string;
  /** Internal groups in which the user is not: who is in them only the server knows. */
  readonly notIn?: readonly string[];
}

export interface GrantedForm {
  /** All policies of the token, those of its groups included, without `default`. */
  readonly policies?: readonly string[];
  /** Lifetime of the token: a duration such as 15m after `<=`, `<`, `>=`, `>` or nothing, or seconds. */
  readonly ttl?: string | number;
  /** Path to capabilities that the token has on every such path. `+` stands for a segment, `*` at the end for any text. */
  readonly may?: { readonly [path: string]: readonly string[] };
  /** Path to capabilities that the token has on no such path. */
  readonly mayNot?: { readonly [path: string]: readonly string[] };
}

export interface NeverForm extends PlaceForm {
  /** Path of the auth method. */
  readonly mount: string;
  /** The policy that no other token gets. */
  readonly policy: string;
  /** Claims with which a token may have it, by name or JSON pointer; `*` stands for any characters. */
  readonly unless?: { readonly [claim: string]: string };
  /** Internal groups in which the user is not: who is in them only the server knows. */
  readonly notIn?: readonly string[];
}

export interface CloudRoleForm extends PlaceForm {
  /** Path of the cloud engine. */
  readonly mount: string;
  /** The role, or the static role. */
  readonly role: string;
}

export interface HandedOutForm {
  /** Such as `assumed_role`; not of a static role. */
  readonly credentialType?: string;
  /** All ARNs of roles that it assumes. */
  readonly roleArns?: readonly string[];
  /** All ARNs of policies of the cloud that the credentials have. */
  readonly policyArns?: readonly string[];
  /** All groups of the cloud that the credentials are in. */
  readonly iamGroups?: readonly string[];
  /** The policy document that is part of the role, as JSON text or an object; `{}` for none. */
  readonly policyDocument?: string | { readonly [member: string]: unknown };
  /** All policies of the stack with which a token may ask for the credentials. */
  readonly policies?: readonly string[];
}

export interface PeerForm {
  /** Name of the peer, in this cluster. */
  readonly name: string;
  /** Name of the connection of the records; `""` for those that name none. */
  readonly connection?: string;
  /** Partition of this cluster; the default one when unset. */
  readonly partition?: string;
}

export interface ReachedForm {
  /** All services that the peer may reach, as `namespace/name` outside of the default namespace; `*` stands for every service. */
  readonly services: readonly string[];
}
