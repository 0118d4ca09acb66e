import { ProviderError } from "../core/errors";

type Environment = Readonly<Record<string, string | undefined>>;

/** The keys of the environment, with which a login is signed. */
export interface AwsKeys {
  readonly accessKey: string;
  readonly secretKey: string;
  /** Of temporary keys. */
  readonly sessionToken?: string;
}

/** What says that there are keys in a place that is not read. */
const ELSEWHERE = [
  "AWS_PROFILE",
  "AWS_SHARED_CREDENTIALS_FILE",
  "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
  "AWS_CONTAINER_CREDENTIALS_FULL_URI",
];

/** @throws ConfigError where the environment has none */
export function awsKeys(env: Environment): AwsKeys {
  const { AWS_ACCESS_KEY_ID: accessKey, AWS_SECRET_ACCESS_KEY: secretKey, AWS_SESSION_TOKEN: session } = env;
  if (accessKey && secretKey) return { accessKey, secretKey, ...(session ? { sessionToken: session } : {}) };
  const needed =
    "the method aws needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment, and AWS_SESSION_TOKEN beside temporary ones.";
  const wayOut =
    'Web identity, profiles, container credentials and instance metadata are not read: `eval "$(aws configure export-credentials --format env)"` before the run makes variables of what they hold.';
  throw new ProviderError("ConfigError", [needed, wayOut, ...foundIn(env)].join(" "));
}

function foundIn(env: Environment): readonly string[] {
  if (env["AWS_WEB_IDENTITY_TOKEN_FILE"])
    return [
      "AWS_WEB_IDENTITY_TOKEN_FILE is set: where the server trusts the issuer of its JWT, the method jwt takes it by jwtFile.",
    ];
  const name = ELSEWHERE.find((each) => env[each]);
  return name === undefined ? [] : [`${name} is set.`];
}
