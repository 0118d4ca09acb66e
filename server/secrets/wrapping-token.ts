import { Refusal } from "../framework/refusal";
import type { WireObject } from "../framework/wire-value";
import type { TokenStore } from "./token-store";

/** The only policy of the token that an answer is wrapped in. */
export const wrappingPolicy = "response-wrapping";

interface Request {
  readonly path: string;
  readonly body: WireObject;
  readonly token: string | undefined;
}

const aboutWrapped: ReadonlySet<string> = new Set(["unwrap", "lookup", "rewrap"].map((name) => `sys/wrapping/${name}`));

/** Before anything else about such a request, its token must wrap an answer. @throws Refusal */
export function assertWrapping(tokens: TokenStore, { path, body, token: own }: Request): void {
  if (!aboutWrapped.has(path)) return;
  const given = body["token"] ?? undefined;
  const token = given ?? own ?? "";
  if (typeof token !== "string") throw invalid("could not decode token in request body");
  if (token === "") throw invalid(given === undefined ? "token is empty" : "empty token in request body");
  if (tokens.find(token)?.wrapped === undefined) {
    throw new Refusal("wrapping token is not valid or does not exist");
  }
}

function invalid(reason: string): Refusal {
  return new Refusal(`error validating wrapping token: ${reason}`, { status: 403 });
}
