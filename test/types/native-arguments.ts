import type * as dynamic from "trustplane";
import type * as native from "trustplane/native";

// What the dynamic classes and functions take, the native ones take too: a program switches by its import line. Nothing of this
// file runs.

type Dynamic = typeof dynamic;
type Native = typeof native;
type Module = keyof Dynamic;

/** The arguments of a class or a function; `get` and the like are none of these. */
type ArgumentsOf<T> = T extends abstract new (
  name: string,
  args: infer A,
  ...rest: never
) => unknown
  ? A
  : T extends (args: infer A, ...rest: never) => unknown
    ? A
    : never;

/** A program may or may not use the flag by which an absent member is none that is undefined. */
type Loose<T> = { readonly [K in keyof T]: T[K] | undefined };

/** `true` when what the dynamic one takes, the native one takes too. */
type Switches<A, B> = [Loose<A>] extends [Loose<B>] ? true : "the native one takes less";

type Compared = {
  readonly [M in Module]: {
    readonly [Name in keyof Dynamic[M]]: Name extends keyof Native[M]
      ? Switches<ArgumentsOf<Dynamic[M][Name]>, ArgumentsOf<Native[M][Name]>>
      : "missing";
  };
};

export const switched: Compared = {
  cloud: {
    LeaseConfig: true,
    Role: true,
    RootConfig: true,
    RootRotation: true,
    StaticRole: true,
    getCredentials: true,
    getCredentialsOutput: true,
    getRoles: true,
    getRolesOutput: true,
    getStaticCredentials: true,
    getStaticCredentialsOutput: true,
  },
  cluster: {
    PeeredClusters: true,
    Peering: true,
    PeeringToken: true,
    getPeering: true,
    getPeeringOutput: true,
    getPeerings: true,
    getPeeringsOutput: true,
  },
  jwt: {
    Config: true,
    Role: true,
    authUrl: true,
    authUrlOutput: true,
    getRole: true,
    getRoleOutput: true,
    getRoles: true,
    getRolesOutput: true,
    login: true,
    loginOutput: true,
  },
  policy: { Parameter: true, getParameters: true, getParametersOutput: true },
  sys: { AuthMount: true, SecretsMount: true },
};
