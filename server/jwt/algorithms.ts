/** The signature algorithms that a configuration may name, all of them asymmetric. Without a name all are accepted. */
export const algorithms: readonly string[] = [
  ...["RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512", "EdDSA"],
];
