import type { WireObject } from "../../framework/wire-value";
import { claimsFrom, memberOf } from "../claims";
import { TokenFailure } from "../compact-jws";
import { FetchFailure, fetchDocument } from "../fetch-document";
import type { Provider } from "./client-provider";

export interface AskingAbout {
  readonly provider: Provider;
  readonly accessToken: string;
  readonly claims: WireObject;
}

/** The claims, overridden by those of the userinfo endpoint. An answer that fails or is about another user adds nothing. */
export async function withUserInfo({ provider, accessToken, claims }: AskingAbout): Promise<WireObject> {
  const { endpoints, caPem, issuer } = provider;
  if (endpoints.userInfo === "") return claims;
  try {
    const headers = { authorization: `Bearer ${accessToken}` };
    const { body } = await fetchDocument(endpoints.userInfo, { caPem, headers });
    const info = claimsFrom(Buffer.from(body));
    const iss = memberOf(info, "iss") ?? "";
    const isMeant = memberOf(info, "sub") === memberOf(claims, "sub") && (iss === "" || iss === issuer);
    return isMeant ? { ...claims, ...info } : claims;
  } catch (failure) {
    if (failure instanceof FetchFailure || failure instanceof TokenFailure) return claims;
    throw failure;
  }
}
