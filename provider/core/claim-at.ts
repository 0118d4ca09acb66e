type Claims = Readonly<Record<string, unknown>>;

/** A claim by its name, or by a JSON pointer. */
export function claimAt(claims: Claims, claim: string): unknown {
  if (!claim.startsWith("/")) return Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  return stepsOf(claim).reduce<unknown>(
    (value, step) => (Object.hasOwn(Object(value), step) ? Object(value)[step] : undefined),
    claims,
  );
}

/** The claims with this one, which a JSON pointer may name: what it leads through is made. */
export function withClaimAt(claims: Claims, claim: string, value: unknown): Claims {
  return claim.startsWith("/") ? withMember(claims, stepsOf(claim), value) : { ...claims, [claim]: value };
}

function withMember(members: unknown, [step = "", ...rest]: readonly string[], value: unknown): Claims {
  const own = typeof members === "object" && members !== null && !Array.isArray(members) ? members : {};
  const inner = Object.hasOwn(own, step) ? (own as Claims)[step] : undefined;
  return { ...own, [step]: rest.length === 0 ? value : withMember(inner, rest, value) };
}

const stepsOf = (pointer: string) =>
  pointer
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
