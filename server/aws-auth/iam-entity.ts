import { goQuoted } from "../framework/go-quoted";

/** Who an ARN names. */
export interface IamEntity {
  readonly partition: string;
  readonly account: string;
  /** `user`, `role`, `assumed-role` or `instance-profile`. */
  readonly type: string;
  readonly path: string;
  /** Of the user or the role. */
  readonly name: string;
  readonly session: string;
}

/** @throws Error in Vault's words */
export function parseIamArn(arn: string): IamEntity {
  const parts = arn.split(":");
  if (parts.length !== 6) throw unrecognized(`contains ${parts.length} colon-separated parts, expected 6`);
  const [prefix, partition = "", service = "", , account = "", resource = ""] = parts;
  if (prefix !== "arn") throw unrecognized('does not begin with "arn:"');
  if (service !== "iam" && service !== "sts") {
    throw new Error(`unrecognized service: ${service}, not one of iam or sts`);
  }
  const [type = "", ...names] = resource.split("/");
  if (names.length < 1) throw unrecognized(`${goQuoted(resource)} contains fewer than 2 slash-separated parts`);
  const entity = {
    partition,
    account,
    type,
    path: names.slice(0, -1).join("/"),
    name: names.at(-1) ?? "",
    session: "",
  };
  if (type === "assumed-role") {
    const [name = "", session] = names;
    if (session === undefined) {
      throw unrecognized(`${goQuoted(resource)} contains fewer than 3 slash-separated parts`);
    }
    return { ...entity, path: "", name, session };
  }
  if (["user", "role", "instance-profile"].includes(type)) return entity;
  throw new Error(`unrecognized principal type: ${goQuoted(type)}`);
}

function unrecognized(why: string): Error {
  return new Error(`unrecognized arn: ${why}`);
}

/** The ARN that roles are bound to: the role behind a session, and no paths, which sessions do not tell. */
export function canonicalArn({ partition, account, type, name }: IamEntity): string {
  return `arn:${partition}:iam::${account}:${type === "assumed-role" ? "role" : type}/${name}`;
}

/** As Go prints the entity in errors. */
export function entityText({ partition, account, type, path, name, session }: IamEntity): string {
  return `&{${[partition, account, type, path, name, session].join(" ")}}`;
}
