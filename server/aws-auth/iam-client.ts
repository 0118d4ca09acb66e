import { type CredentialSources, configuredCaller } from "../aws/root-credentials";
import { CloudFailure } from "../cloud/cloud-failure";
import type { CloudCaller } from "../cloud/cloud-identity";
import { accountId } from "../cloud/identity-records";
import { goQuoted } from "../framework/go-quoted";
import { readClientConfig } from "./client-config";
import { type IamEntity, parseIamArn } from "./iam-entity";

/** What the method asks the cloud about users and roles; the answers are errors in Vault's words otherwise. */
export interface IamClient {
  /** The ID that stays with a user or a role. @throws Error */
  uniqueId(arn: string): string;
  /** The ARN of a user or a role, with its path. @throws Error */
  fullArn(entity: IamEntity): string;
}

export function createIamClient({ storage, ...sources }: CredentialSources): IamClient {
  const { identity } = sources;

  function callerFor({ partition, account }: IamEntity): CloudCaller {
    if (!partitions.has(partition)) throw new Error(`unable to resolve partition ${goQuoted(partition)} to a region`);
    const caller = configuredCaller(readClientConfig(storage), sources);
    prefixed("unable to fetch current caller: ", () => identity.callerIdentity(caller));
    if (account === accountId) return caller;
    throw new Error(
      `unable to fetch client for account ID ${goQuoted(account)} -- default client is for account ${goQuoted(accountId)}`,
    );
  }

  return {
    uniqueId(arn) {
      const entity = parseIamArn(arn);
      const caller = callerFor(entity);
      if (entity.type === "user") return identity.getUser(caller, entity.name).id;
      if (entity.type === "role") return identity.getRole(caller, entity.name).id;
      throw new Error(`unrecognized error type ${goQuoted(entity.type)}`);
    },
    fullArn(entity) {
      const caller = prefixed("error creating IAM client: ", () => callerFor(entity));
      const { type, name } = entity;
      if (type === "user") {
        return prefixed(`error fetching user ${goQuoted(name)}: `, () => identity.getUser(caller, name).arn);
      }
      return prefixed(`error fetching role ${goQuoted(name)}: `, () => identity.getRole(caller, name).arn);
    },
  };
}

const partitions: ReadonlySet<string> = new Set(["aws", "aws-cn", "aws-us-gov", "aws-iso", "aws-iso-b", "aws-iso-e"]);

function prefixed<T>(prefix: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const message = `${prefix}${error.message}`;
    throw error instanceof CloudFailure ? new CloudFailure(message) : new Error(message);
  }
}
