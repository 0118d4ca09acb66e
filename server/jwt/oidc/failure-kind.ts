const kinds: readonly (readonly [sign: string, kind: string])[] = [
  ["id token issued by a different provider", "invalid issuer"],
  ["unexpected signature algorithm", "unsupported signing algorithm"],
  ["before the nbf (not before) time", "invalid not before"],
  ["token is expired", "token is expired"],
  ["failed to verify id token signature", "invalid signature"],
  ["failed to decode keys", "invalid jwks"],
  ["get keys failed", "invalid jwks"],
  ["server response missing access_token", "access_token is missing"],
  ["404 Not Found", "not found"],
];

/** A library's error, with the kind of failure that Vault's library appends to texts that it knows. */
export function withKind(text: string): string {
  const kind = kinds.find(([sign]) => text.includes(sign))?.[1];
  return kind === undefined ? text : `${text}: ${kind}`;
}
