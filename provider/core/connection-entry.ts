import * as z from "zod";
import { headersSchema } from "./connection-headers";
import { loginSchema } from "./login-entry";

export const SERVICE_NAMES = ["secrets", "cluster", "policy"] as const;

/** A service is a kind of server, which each family of resources has. */
export type Service = (typeof SERVICE_NAMES)[number];

const variableName = z.string().regex(/^[A-Za-z_]\w*$/, { error: "must be the name of an environment variable" });

/**
 * Whether a new resource takes over a record that somebody else has made: one that is as the program says, any, or none.
 */
export const TAKE_OVER = ["same", "always", "never"] as const;
export type TakeOver = (typeof TAKE_OVER)[number];

/** The word that says it, in a connection's entry and for all connections. */
export const takeOverSchema = z.enum(TAKE_OVER, { error: `must be ${TAKE_OVER.join(", ")}` });

/**
 * How one server is reached, as the configuration says it. Credentials are referred to, rather than carried. Which token a
 * server is sent: what an entry names, the first of `tokenEnv`, `tokenFile` and `token` that is there, and nothing else. An
 * entry that names none is sent the environment's own, where it is about the environment's own server: always for the
 * stack's `trustplane:secrets` and the like, never for a connection by name, and for a provider of the program where its
 * address is that of the environment. A token that the environment has for one host alone is sent to that host by any.
 */
export const connectionFields = {
  /** Base URL of the server. */
  address: z.string(),
  /** Namespace of Vault or OpenBao in which all paths are. @source vault/namespaces */
  namespace: z.string(),
  /** Admin partition of Consul, Enterprise only. @source consul/partitions */
  partition: z.string(),
  /** Token. It works, with a warning, and ends up in the state as a secret: prefer `tokenEnv` or `tokenFile`. In a stack's `trustplane:secrets`, `cluster` and `policy` the environment's own token comes before it, as refresh and destroy see the configuration of the last update. */
  token: z.string().min(1),
  /** Name of the environment variable that holds the token. Nothing of the environment is sent instead: it is an error when the variable is unset or blank. */
  tokenEnv: variableName,
  /** Path of the file that holds the token. Nothing of the environment is sent instead: it is an error when the file cannot be read or is empty. */
  tokenFile: z.string().min(1),
  /** How to log in, instead of naming a token. The token of the login is kept in memory, renewed while it is needed, and revoked at the end of the run. In a stack's `trustplane:secrets` and `cluster` a token in the environment's own variables comes before it. */
  login: loginSchema,
  /** Name of the environment variable that holds `user:password` for HTTP basic authentication, which a proxy before Consul may ask for. The token is sent beside it. */
  httpAuthEnv: variableName,
  /** Headers that every request to the server carries, such as those that a proxy before it asks for. Those that the client sets itself (`X-Vault-…`, `X-Consul-…`, `Authorization`, `Host` and the like) are refused. */
  headers: headersSchema,
  /** Path of the PEM CA certificates that verify the server; the system's when neither this, `caCertPem` nor `caCertDir` is set. Only one of them can be. */
  caCertFile: z.string(),
  /** PEM CA certificates that verify the server, in place of `caCertFile`. */
  caCertPem: z.string(),
  /** Path of a folder, in place of `caCertFile`: all files in it and below hold PEM CA certificates that verify the server. */
  caCertDir: z.string(),
  /** Path of the PEM client certificate; comes with its key, and neither is taken from the environment then. */
  clientCertFile: z.string(),
  /** PEM client certificate, in place of `clientCertFile`. */
  clientCertPem: z.string(),
  /** Path of the client certificate's PEM key. */
  clientKeyFile: z.string(),
  /** PEM key of the client certificate, in place of `clientKeyFile`. Like `token` it ends up in the state as a secret: prefer `clientKeyFile`. */
  clientKeyPem: z.string(),
  /** Name that the server is asked for in TLS (SNI), and that its certificate must have; the host of the address when unset. */
  tlsServerName: z.string().min(1),
  /** Do not verify the server's certificate; not for production. */
  skipTlsVerify: z.boolean(),
  /** How often a request is repeated that failed for a passing reason, 0 to 20; 4 when unset. */
  maxRetries: z.int().min(0).max(20),
  /** Longest time for one request, from its start to the end of its answer, in seconds; 60 when unset, as Consul takes long to refuse. */
  timeoutSeconds: z.number().positive(),
  /** Never ask the server which product and release it is. */
  offline: z.boolean(),
  /** The server was rebuilt: what it does not have is gone, although the state was written to another one. Refresh and destroy see the configuration of the last update: for one run of them, name the connection in the environment variable `TRUSTPLANE_REBUILT`. */
  rebuilt: z.boolean(),
  /** Whether a new resource takes over a record that somebody else has made: `same` takes over one that is as the program says and refuses another, `always` writes over any, `never` refuses all. The `takeOver` of a resource comes first. When unset, what `trustplane:takeOver` says, then the environment variable `TRUSTPLANE_TAKE_OVER`, then `same`. */
  takeOver: takeOverSchema,
};

/** The fields that hold a secret themselves. */
export const SECRET_FIELDS: readonly (keyof typeof connectionFields)[] = ["token", "headers", "clientKeyPem"];

/** An entry of the configuration: one service's own connection. */
export type ConnectionEntry = { [K in keyof typeof connectionFields]?: z.infer<(typeof connectionFields)[K]> };

/** Of another tool, by the folder that they are in: the home directory, `$XDG_CONFIG_HOME`, or on Windows `%APPDATA%`. */
export interface HostTokenFiles {
  readonly home: readonly string[];
  readonly configFolder: readonly string[];
  readonly windows: readonly string[];
}

/** What the configuration does not say about a service's own connection. */
export interface ServiceDefaults {
  readonly address: string;
  /** It has methods to log in. */
  readonly hasLogin?: true;
  /** The variables of a login by JWT, for CI jobs whose roles are not the stack's to choose. `role` asks for the login. */
  readonly loginVariables?: Readonly<Record<"role" | "mount" | "audience" | "namespace", string>>;
  /** What a server is divided into. */
  readonly tenant?: "namespace" | "partition";
  /** File in the home directory that holds the token when nothing else does. */
  readonly homeFile?: string;
  /** The command by which a person gets a token into a file that is looked at. */
  readonly loginCommand?: string;
  /** Where the product's own command finds tokens and this does not look, as the end of "No token was found". */
  readonly notAsked?: string;
  /**
   * Tokens that are each for one host, and so may be sent there by every connection that names none: a variable that ends in
   * the host's name, and files of tokens by host. A variable may name another file in place of what people write.
   */
  readonly hostTokens?: {
    readonly variable: string;
    readonly fileVariables: readonly string[];
    readonly configuration: HostTokenFiles;
    readonly credentials: HostTokenFiles;
  };
  /** The ecosystem's own variables: the first that is set counts. OpenBao's twins come first, as in its own client. */
  readonly environment: { readonly [K in keyof ConnectionEntry]?: readonly string[] };
  /** An address without a scheme is `http`, unless this variable asks for TLS; elsewhere it is `https`. */
  readonly tlsVariable?: string;
  /** The variable that asks for the verification of the certificate, where no other asks to leave it out. */
  readonly verifyVariable?: string;
  /** The variable with `user:password` for basic authentication; a service without one has none. */
  readonly httpAuthVariable?: string;
  /** The variables that forbid to follow redirects, also for a connection by name: they only ever forbid. */
  readonly noRedirectVariables?: readonly string[];
}

/** Where each service is found when nobody says. */
export const serviceDefaults = {
  secrets: {
    address: "https://127.0.0.1:8200",
    hasLogin: true,
    loginVariables: {
      role: "TRUSTPLANE_LOGIN_ROLE",
      mount: "TRUSTPLANE_LOGIN_MOUNT",
      audience: "TRUSTPLANE_LOGIN_AUDIENCE",
      namespace: "TRUSTPLANE_LOGIN_NAMESPACE",
    },
    tenant: "namespace",
    homeFile: ".vault-token",
    loginCommand: "trustplane login",
    notAsked: "A `token_helper` of Vault's command is not asked.",
    environment: {
      address: ["BAO_ADDR", "VAULT_ADDR"],
      namespace: ["BAO_NAMESPACE", "VAULT_NAMESPACE"],
      token: ["BAO_TOKEN", "VAULT_TOKEN"],
      tokenFile: ["BAO_TOKEN_FILE", "VAULT_TOKEN_FILE"],
      headers: ["BAO_HEADERS", "VAULT_HEADERS"],
      caCertFile: ["BAO_CACERT", "VAULT_CACERT"],
      caCertPem: ["BAO_CACERT_BYTES", "VAULT_CACERT_BYTES"],
      caCertDir: ["BAO_CAPATH", "VAULT_CAPATH"],
      clientCertFile: ["BAO_CLIENT_CERT", "VAULT_CLIENT_CERT"],
      clientKeyFile: ["BAO_CLIENT_KEY", "VAULT_CLIENT_KEY"],
      tlsServerName: ["BAO_TLS_SERVER_NAME", "VAULT_TLS_SERVER_NAME"],
      skipTlsVerify: ["BAO_SKIP_VERIFY", "VAULT_SKIP_VERIFY"],
      maxRetries: ["BAO_MAX_RETRIES", "VAULT_MAX_RETRIES"],
      timeoutSeconds: ["BAO_CLIENT_TIMEOUT", "VAULT_CLIENT_TIMEOUT"],
    },
    noRedirectVariables: ["BAO_DISABLE_REDIRECTS", "VAULT_DISABLE_REDIRECTS"],
  },
  cluster: {
    address: "http://127.0.0.1:8500",
    hasLogin: true,
    tenant: "partition",
    environment: {
      address: ["CONSUL_HTTP_ADDR"],
      partition: ["CONSUL_PARTITION"],
      token: ["CONSUL_HTTP_TOKEN"],
      tokenFile: ["CONSUL_HTTP_TOKEN_FILE"],
      caCertFile: ["CONSUL_CACERT"],
      caCertDir: ["CONSUL_CAPATH"],
      clientCertFile: ["CONSUL_CLIENT_CERT"],
      clientKeyFile: ["CONSUL_CLIENT_KEY"],
      tlsServerName: ["CONSUL_TLS_SERVER_NAME"],
    },
    httpAuthVariable: "CONSUL_HTTP_AUTH",
    tlsVariable: "CONSUL_HTTP_SSL",
    verifyVariable: "CONSUL_HTTP_SSL_VERIFY",
  },
  policy: {
    address: "https://app.terraform.io",
    loginCommand: "terraform login",
    notAsked: "A `credentials_helper` of Terraform's command is not asked.",
    environment: {
      address: ["TFE_ADDRESS", "TFE_HOSTNAME"],
      token: ["TFE_TOKEN"],
      skipTlsVerify: ["TFE_SSL_SKIP_VERIFY"],
    },
    // What Terraform's and OpenTofu's commands read, and what `terraform login` and `tofu login` write.
    hostTokens: {
      variable: "TF_TOKEN_",
      fileVariables: ["TF_CLI_CONFIG_FILE", "TERRAFORM_CONFIG"],
      configuration: {
        home: [".terraformrc", ".tofurc"],
        configFolder: ["opentofu/tofurc"],
        windows: ["terraform.rc", "tofu.rc"],
      },
      credentials: {
        home: [".terraform.d/credentials.tfrc.json"],
        configFolder: ["opentofu/credentials.tfrc.json"],
        windows: ["terraform.d/credentials.tfrc.json"],
      },
    },
  },
} as const satisfies Readonly<Record<Service, ServiceDefaults>>;
