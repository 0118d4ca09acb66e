import * as z from "zod";

export type LoginMethod = "jwt" | "kubernetes" | "approle" | "aws" | "cert";

/** How a connection logs in, instead of having a token. What is secret is referred to, rather than carried. */
export interface ConnectionLogin {
  /** The auth method: `jwt`, `kubernetes`, `approle`, `aws` or `cert` of Vault and OpenBao; `jwt` of Consul. */
  readonly method: LoginMethod;
  /** Path of the auth method, without `auth/`; the name of the method when unset. For Consul, the name of its auth method. */
  readonly mount?: string;
  /** Namespace of Vault or OpenBao that the auth method is in, such as `admin` of HCP Vault, or `root`; that of the connection when unset. The token belongs to it, so its policies name the paths below it. */
  readonly namespace?: string;
  /** Role to log in with; for `cert` the name of the certificate role. When unset, the server chooses. */
  readonly role?: string;
  /** Name of the environment variable that holds the JWT, such as one of GitLab's `id_tokens`. When no place is named, the JWT is that of the CI system or the cluster in which the program runs. */
  readonly jwtEnv?: string;
  /** Path of the file that holds the JWT. */
  readonly jwtFile?: string;
  /** Audience of the JWT that GitHub Actions is asked for; GitHub's own default when unset. */
  readonly audience?: string;
  /** Role ID of AppRole. It is no secret by itself. */
  readonly roleId?: string;
  /** Name of the environment variable that holds the secret ID of AppRole. */
  readonly secretIdEnv?: string;
  /** Path of the file that holds the secret ID of AppRole. */
  readonly secretIdFile?: string;
  /** The secret ID is wrapped: the variable or the file holds the token that unwraps it, once. */
  readonly secretIdWrapped?: boolean;
  /** Region of the AWS STS endpoint for which the login is signed; `auto` for that of `AWS_REGION` or `AWS_DEFAULT_REGION`. When unset, the global endpoint, except that a region of China or GovCloud in these variables counts by itself. */
  readonly region?: string;
  /** Value that the server demands in the header `X-Vault-AWS-IAM-Server-ID`. */
  readonly serverId?: string;
}

const variableName = z.string().regex(/^[A-Za-z_]\w*$/, { error: "must be the name of an environment variable" });
const text = z.string().min(1);
/** Others would lead to another path of the server than a login's. */
export const isMount = (path: string): boolean =>
  path.isWellFormed() &&
  !path
    .replace(/^\/+|\/+$/g, "")
    .split("/")
    .some((part) => /^\.{0,2}$/.test(part));

const loginFields = {
  method: z.enum(["jwt", "kubernetes", "approle", "aws", "cert"]),
  mount: z.string().refine(isMount, { error: "must be a path without empty parts, `.` or `..`" }),
  namespace: text,
  role: text,
  jwtEnv: variableName,
  jwtFile: text,
  audience: text,
  roleId: text,
  secretIdEnv: variableName,
  secretIdFile: text,
  secretIdWrapped: z.boolean(),
  region: text,
  serverId: text,
} satisfies { [K in keyof Required<ConnectionLogin>]: z.ZodType<Required<ConnectionLogin>[K]> };

export const LOGIN_FIELDS = Object.keys(loginFields);

/** What each method reads beside `mount`, `namespace` and `role`. */
const OWN: Readonly<Record<LoginMethod, readonly (keyof ConnectionLogin)[]>> = {
  jwt: ["jwtEnv", "jwtFile", "audience"],
  kubernetes: ["jwtEnv", "jwtFile"],
  approle: ["roleId", "secretIdEnv", "secretIdFile", "secretIdWrapped"],
  aws: ["region", "serverId"],
  cert: [],
};

export const loginSchema = z
  .strictObject(loginFields)
  .partial()
  .required({ method: true })
  .superRefine((login, { addIssue }) => {
    const refuse = (field: string, message: string) => addIssue({ code: "custom", path: [field], message });
    const known: readonly string[] = ["method", "mount", "namespace", "role", ...OWN[login.method]];
    for (const field of Object.keys(login)) {
      if (!known.includes(field)) refuse(field, `is no field of the method ${login.method}`);
    }
    if (login.jwtEnv && login.jwtFile) refuse("jwtFile", "give either jwtEnv or jwtFile");
    if (login.secretIdEnv && login.secretIdFile) refuse("secretIdFile", "give either secretIdEnv or secretIdFile");
    if (login.method === "approle" && !login.roleId) refuse("roleId", "is needed by the method approle");
    if (login.method === "approle" && login.role) refuse("role", "is not read by the method approle, which has roleId");
    // A field that is undefined is one that is not there: it came from JSON.
  }) as unknown as z.ZodType<ConnectionLogin>;
