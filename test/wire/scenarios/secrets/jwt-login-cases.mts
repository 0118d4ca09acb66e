import { type Call, type Outcome, refused, type Step } from "../../scenario.mts";

/** One login: with a role of its own, which is bound to the audience of the tokens where it is bound to nothing else. */
export interface LoginCase {
  readonly title: string;
  /** The name of the token's gap. @default "jwt" */
  readonly jwt?: string;
  readonly role?: Readonly<Record<string, unknown>>;
  /** Without it, the login succeeds. */
  readonly says?: RegExp;
}

const usual = { role_type: "jwt", user_claim: "sub", bound_audiences: ["trustplane"] };

/** The roles of some cases, and the logins. */
export function loginCases(prefix: string, cases: readonly LoginCase[]): { roles: Call[]; steps: Step[] } {
  const named = cases.map((each, at) => ({ ...each, name: `${prefix}${at + 1}` }));
  return {
    roles: named.map(({ name, role }) => ({ request: `POST auth/jwt/role/${name}`, body: { ...usual, ...role } })),
    steps: named.map(({ title, name, jwt = "jwt", says }) => ({
      title,
      request: "POST auth/jwt/login",
      as: "nobody",
      body: { role: name, jwt: `{${jwt}}` },
      outcome: outcomeOf(says),
    })),
  };
}

function outcomeOf(says: RegExp | undefined): Outcome {
  return says === undefined ? "ok" : refused(says);
}
