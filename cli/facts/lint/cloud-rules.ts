import { isEmpty } from "../../../provider/core/canonical";
import { allOfJson } from "../../../provider/core/canonical-json";
import type { Values } from "../../../provider/core/definition";
import { formatDuration } from "../../../provider/core/duration";
import { step } from "../../../provider/core/property-path";
import { isRecord } from "../../../provider/core/unknowns";
import { secondsOf, textsIn } from "./found-texts";
import type { LintRule, Weakness } from "./rule";

const user = (statement: Values): Values => ({
  mount: "cloud",
  name: "deploy",
  credentialType: "iam_user",
  policyDocument: JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", ...statement }] }),
});

/** Of cloud engines: what their credentials may do, and keys that stay. */
export const CLOUD_RULES: readonly LintRule[] = [
  {
    name: "any-action",
    of: ["cloud:Role"],
    severity: "warning",
    finds:
      "a policy of a cloud role that allows all actions of a service (`*`), or all that it does not name (`NotAction`)",
    bad: user({ Action: "s3:*", Resource: "arn:aws:s3:::acme-app/*" }),
    good: user({ Action: "s3:GetObject", Resource: "arn:aws:s3:::acme-app/*" }),
    sources: ["https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html"],
    why: "the policy allows more than anybody will have thought of, also what the service adds later",
    find: ({ policyDocument }) => allowing(policyDocument).flatMap(openActions),
  },
  {
    name: "own-rights",
    of: ["cloud:Role"],
    severity: "warning",
    finds:
      "a policy of a cloud role that lets its credentials write policies, keys or trust of any user or role, or become any role; not under one permissions boundary",
    bad: user({ Action: ["iam:AttachUserPolicy", "iam:GetUser"], Resource: "*" }),
    good: user({ Action: ["iam:AttachUserPolicy", "iam:GetUser"], Resource: "arn:aws:iam::123456789012:user/ci/*" }),
    sources: ["https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html"],
    why: "whoever has the credentials gives themselves, or somebody else, whatever else they want",
    find: ({ policyDocument }) =>
      allowing(policyDocument).flatMap(({ path, statement }) =>
        textsIn("", statement["Resource"]).some(({ text }) => /^\*+$/.test(text)) && !isBounded(statement)
          ? textsIn(`${path}.Action`, statement["Action"])
              .filter(({ text }) => GIVES_RIGHTS.test(text))
              .map(({ property, text }) => ({ property, what: `allows ${JSON.stringify(text)} on everything` }))
          : [],
      ),
  },
  {
    name: "slow-rotation",
    of: ["cloud:StaticRole", "cloud:RootConfig"],
    severity: "note",
    finds: "an access key that is changed less often than every 90 days",
    bad: { mount: "cloud", name: "backup", username: "backup", rotationPeriod: "365d" },
    good: { mount: "cloud", name: "backup", username: "backup", rotationPeriod: "30d" },
    sources: ["https://docs.aws.amazon.com/IAM/latest/UserGuide/id-credentials-access-keys-update.html"],
    // CIS Amazon Web Services Foundations Benchmark: access keys are rotated every 90 days or less.
    why: "whoever gets hold of the key can use it that long",
    find: ({ rotationPeriod }) => {
      const seconds = secondsOf(rotationPeriod);
      return seconds === undefined || seconds <= MOST_SECONDS
        ? []
        : [{ property: "rotationPeriod", what: `is ${formatDuration(seconds)}, longer than 90 days` }];
    },
  },
];

const MOST_SECONDS = 90 * 86_400;

/** What gives more rights in IAM, with stars that stand for these too. https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsidentityandaccessmanagement.html */
const GIVES_RIGHTS =
  /^(iam:(\*|(Attach|Put)(User|Role|Group)Policy|(Attach|Put|Create)[A-Za-z]*\*|CreatePolicyVersion|SetDefaultPolicyVersion|AddUserToGroup|CreateAccessKey|(Create|Update)LoginProfile|UpdateAssumeRolePolicy|Delete(User|Role)PermissionsBoundary|PassRole)|sts:AssumeRole\*?)$/i;

/** Whether it allows what gives rights only under one boundary: a request without the key does not fit. The page of `own-rights` does it so. */
function isBounded({ Condition: condition }: Values): boolean {
  const demanded = Object.entries(isRecord(condition) ? condition : {}).flatMap(([operator, keys]) =>
    /^(String|Arn)(Equals|Like)$/i.test(operator) && isRecord(keys) ? Object.entries(keys) : [],
  );
  return demanded.some(
    ([key, value]) =>
      key.toLowerCase() === "iam:permissionsboundary" && textsIn("", value).every(({ text }) => !/[*?]/.test(text)),
  );
}

interface Allowing {
  readonly path: string;
  readonly statement: Values;
}

/** The statements of a policy that allow something. */
function allowing(policy: unknown): readonly Allowing[] {
  const document = typeof policy === "string" ? allOfJson(policy) : policy;
  if (!isRecord(document)) return [];
  const isList = Array.isArray(document["Statement"]);
  return [document["Statement"]]
    .flat()
    .flatMap((statement, index) =>
      isRecord(statement) && [statement["Effect"]].flat().includes("Allow")
        ? [{ path: `policyDocument.Statement${isList ? step(index) : ""}`, statement }]
        : [],
    );
}

function openActions({ path, statement }: Allowing): readonly Weakness[] {
  const wide = textsIn(`${path}.Action`, statement["Action"])
    .filter(({ text }) => /^\*|:\*$/.test(text))
    .map(({ property, text }) => ({ property, what: `allows ${JSON.stringify(text)}` }));
  const rest = isEmpty(statement["NotAction"])
    ? []
    : [{ property: `${path}.NotAction`, what: "allows all that it does not name" }];
  return [...wide, ...rest];
}
