import { refused } from "../../scenario.mts";

/** Steps that write config entries, and what they write. */

export function put(body: object) {
  return { request: "PUT config", body, outcome: "ok" as const };
}

export function refusedPut(body: object, says: RegExp) {
  return { request: "PUT config", body, outcome: refused(says) };
}

export function exports(Services: readonly object[]) {
  return { Kind: "exported-services", Name: "default", Services };
}

export function intentions(Sources: readonly object[]) {
  return { Kind: "service-intentions", Name: "{web}", Sources };
}

export function permitted(HTTP: object, JWT?: object) {
  return { Name: "api", Permissions: [{ Action: "allow", HTTP, ...(JWT ? { JWT } : {}) }] };
}

export function jwt(VerifyClaims?: readonly object[]) {
  return { Providers: [{ Name: "{issuer}", ...(VerifyClaims ? { VerifyClaims } : {}) }] };
}
