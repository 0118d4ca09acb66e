import type { X509Certificate } from "node:crypto";
import { rfc3339 } from "../framework/go-time";
import { Failure } from "../framework/refusal";
import { extendedUses, mayBeClient } from "./certificate-extensions";

type Chain = readonly X509Certificate[];

export interface Verification {
  /** What the client sent beside its own certificate. */
  readonly others: Chain;
  /** The authorities that are trusted. */
  readonly roots: Chain;
  readonly now: Date;
}

/**
 * The chains from a client's certificate to an authority, as Go verifies them (`crypto/x509`); none where no authority is
 * behind it.
 * @throws Failure for a certificate that nobody may use now, or not for this
 */
export function trustedChains(leaf: X509Certificate, { others, roots, now }: Verification): readonly Chain[] {
  const invalid = validityProblem(leaf, now);
  if (invalid !== undefined) throw unverified(invalid);
  const found = chainsFrom([leaf], { others, roots, now });
  const usable = found.filter((chain) => chain.every((each) => mayBeClient(extendedUses(each))));
  if (found.length > 0 && usable.length === 0) {
    throw unverified("x509: certificate specifies an incompatible key usage");
  }
  return usable;
}

function chainsFrom(chain: Chain, verification: Verification): Chain[] {
  const { others, roots, now } = verification;
  const last = chain.at(-1);
  if (last === undefined) return [];
  if (chain.length === 1 && roots.some((root) => isSame(root, last))) return [chain];
  const issuers = (of: Chain) => of.filter((each) => hasIssued(each, last) && validityProblem(each, now) === undefined);
  const complete = issuers(roots).map((root) => [...chain, root]);
  const further = issuers(others).filter((each) => !chain.some((known) => isSame(known, each)));
  return [...complete, ...further.flatMap((each) => chainsFrom([...chain, each], verification))];
}

function hasIssued(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

export function isSame(one: X509Certificate, other: X509Certificate): boolean {
  return one.fingerprint256 === other.fingerprint256;
}

function validityProblem({ validFromDate, validToDate }: X509Certificate, now: Date): string | undefined {
  const time = (date: Date) => rfc3339(new Date(Math.floor(date.getTime() / 1000) * 1000));
  const problem = `x509: certificate has expired or is not yet valid: current time ${time(now)} is`;
  if (now < validFromDate) return `${problem} before ${time(validFromDate)}`;
  return now > validToDate ? `${problem} after ${time(validToDate)}` : undefined;
}

function unverified(why: string): Failure {
  return new Failure(`failed to verify client's certificate: ${why}`);
}
