import * as z from "zod";

export const SERVICE_NAMES = ["secrets", "cluster", "policy"] as const;

/** A service is a kind of server, which each family of resources has. */
export type Service = (typeof SERVICE_NAMES)[number];

/** How one server is reached, as the configuration says it. Credentials are referred to, rather than carried. */
export const connectionFields = {
  /** Base URL of the server. (Design, connections.) */
  address: z.string(),
  /** Namespace of Vault or OpenBao in which all paths are. (Reference, secrets server 1.2.) */
  namespace: z.string(),
  /** Admin partition of Consul, Enterprise only. (Document 2, Peering connection.) */
  partition: z.string(),
  /** Token. It works, with a warning, and ends up in the state as a secret: prefer the environment, or `tokenFile`. (Design, connections.) */
  token: z.string(),
  /** Name of the environment variable that holds the token. (Design, connections.) */
  tokenEnv: z.string().regex(/^[A-Za-z_]\w*$/, { error: "must be the name of an environment variable" }),
  /** Path of the file that holds the token. (Design, connections.) */
  tokenFile: z.string().min(1),
  /** Path of the PEM CA certificates that verify the server; the system's when unset. (Design, connections.) */
  caCertFile: z.string(),
  /** Path of the PEM client certificate; comes with `clientKeyFile`. (Design, connections.) */
  clientCertFile: z.string(),
  /** Path of the client certificate's PEM key. (Design, connections.) */
  clientKeyFile: z.string(),
  /** Do not verify the server's certificate; not for production. (Design, connections.) */
  skipTlsVerify: z.boolean(),
  /** How often a request is repeated that failed for a passing reason, 0 to 20; 4 when unset. (Design, connections.) */
  maxRetries: z.int().min(0).max(20),
  /** Longest time for one request, in seconds; 60 when unset, as Consul takes long to refuse. (Reference, cluster B.11.) */
  timeoutSeconds: z.number().positive(),
  /** Never ask the server which product and release it is. (Design, connections.) */
  offline: z.boolean(),
  /** The server was rebuilt: what it does not have is gone, although the state was written to another one. (Design, promises.) */
  rebuilt: z.boolean(),
};

/** An entry of the configuration: one service's own connection. */
export type ConnectionEntry = { [K in keyof typeof connectionFields]?: z.infer<(typeof connectionFields)[K]> };

/** What the configuration does not say about a service's own connection. */
export interface ServiceDefaults {
  readonly address: string;
  /** What a server is divided into. */
  readonly tenant?: "namespace" | "partition";
  /** File in the home directory that holds the token when nothing else does. */
  readonly homeFile?: string;
  /** The ecosystem's own variables: the first that is set counts. OpenBao's twins come first, as in its own client. */
  readonly environment: { readonly [K in keyof ConnectionEntry]?: readonly string[] };
}

/** Where each service is found when nobody says. */
export const serviceDefaults = {
  secrets: {
    address: "https://127.0.0.1:8200",
    tenant: "namespace",
    homeFile: ".vault-token",
    environment: {
      address: ["BAO_ADDR", "VAULT_ADDR"],
      namespace: ["BAO_NAMESPACE", "VAULT_NAMESPACE"],
      token: ["BAO_TOKEN", "VAULT_TOKEN"],
      caCertFile: ["BAO_CACERT", "VAULT_CACERT"],
      clientCertFile: ["BAO_CLIENT_CERT", "VAULT_CLIENT_CERT"],
      clientKeyFile: ["BAO_CLIENT_KEY", "VAULT_CLIENT_KEY"],
      skipTlsVerify: ["BAO_SKIP_VERIFY", "VAULT_SKIP_VERIFY"],
      maxRetries: ["BAO_MAX_RETRIES", "VAULT_MAX_RETRIES"],
      timeoutSeconds: ["BAO_CLIENT_TIMEOUT", "VAULT_CLIENT_TIMEOUT"],
    },
  },
  cluster: {
    address: "http://127.0.0.1:8500",
    tenant: "partition",
    environment: {
      address: ["CONSUL_HTTP_ADDR"],
      partition: ["CONSUL_PARTITION"],
      token: ["CONSUL_HTTP_TOKEN"],
      tokenFile: ["CONSUL_HTTP_TOKEN_FILE"],
      caCertFile: ["CONSUL_CACERT"],
      clientCertFile: ["CONSUL_CLIENT_CERT"],
      clientKeyFile: ["CONSUL_CLIENT_KEY"],
    },
  },
  policy: {
    address: "https://app.terraform.io",
    environment: {
      address: ["TFE_ADDRESS", "TFE_HOSTNAME"],
      token: ["TFE_TOKEN"],
      skipTlsVerify: ["TFE_SSL_SKIP_VERIFY"],
    },
  },
} as const satisfies Readonly<Record<Service, ServiceDefaults>>;
