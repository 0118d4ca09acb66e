import { ProviderError } from "../core/errors";

type Environment = Readonly<Record<string, string | undefined>>;

/** The keys with which a login is signed. */
export interface AwsKeys {
  readonly accessKey: string;
  readonly secretKey: string;
  /** Of temporary keys. */
  readonly sessionToken?: string;
}

/** An answer may never come, where an address is not reached. */
const LONGEST_MS = 30_000;

/** Those of the environment, else what AWS's own provider finds. @throws ConfigError where there are none */
export async function awsKeys(env: Environment): Promise<AwsKeys> {
  const { AWS_ACCESS_KEY_ID: accessKey, AWS_SECRET_ACCESS_KEY: secretKey, AWS_SESSION_TOKEN: session } = env;
  if (accessKey && secretKey) return keysOf(accessKey, secretKey, session);
  const defaultProvider = await officialProvider();
  if (defaultProvider === undefined)
    throw new ProviderError("ConfigError", [MISSING, NOT_INSTALLED, ...foundIn(env)].join(" "));
  try {
    const late = new Promise<never>((_, fail) => {
      setTimeout(() => fail(new Error(`nothing was answered within ${LONGEST_MS / 1000} s`)), LONGEST_MS).unref();
    });
    const found = await Promise.race([defaultProvider()(), late]);
    return keysOf(found.accessKeyId, found.secretAccessKey, found.sessionToken);
  } catch (error) {
    const { message } = error as Error;
    const reason = `AWS's own provider found none in profiles, web identity, containers and instance metadata: ${message}.`;
    throw new ProviderError("ConfigError", [MISSING, reason.replace(/\.\.$/, "."), ...foundIn(env)].join(" "));
  }
}

function keysOf(accessKey: string, secretKey: string, session: string | undefined): AwsKeys {
  return { accessKey, secretKey, ...(session ? { sessionToken: session } : {}) };
}

/** Most people log in another way: who needs it installs it. The files of the plugin and of Terraform's provider have it inside. */
async function officialProvider() {
  try {
    return (await import("@aws-sdk/credential-provider-node")).defaultProvider;
  } catch (error) {
    if (/^(ERR_)?MODULE_NOT_FOUND$/.test(String((error as NodeJS.ErrnoException).code))) return undefined;
    throw error;
  }
}

const MISSING =
  "the method aws found no keys: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not both in the environment.";
const NOT_INSTALLED =
  'Profiles, web identity, container credentials and instance metadata are read by the package of AWS, which is not installed: `npm install @aws-sdk/credential-provider-node`, or make variables of what they hold with `eval "$(aws configure export-credentials --format env)"` before the run.';

/** What says that there are keys in another place. */
const ELSEWHERE = [
  "AWS_PROFILE",
  "AWS_SHARED_CREDENTIALS_FILE",
  "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
  "AWS_CONTAINER_CREDENTIALS_FULL_URI",
];

function foundIn(env: Environment): readonly string[] {
  if (env["AWS_WEB_IDENTITY_TOKEN_FILE"])
    return [
      "AWS_WEB_IDENTITY_TOKEN_FILE is set: where the server trusts the issuer of its JWT, the method jwt takes it by jwtFile.",
    ];
  const name = ELSEWHERE.find((each) => env[each]);
  return name === undefined ? [] : [`${name} is set.`];
}
