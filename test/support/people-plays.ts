import { generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { expect } from "vitest";
import { explainToken } from "../../cli/facts/trust/explain-token.ts";
import { explainedRole } from "../../cli/facts/trust/explained-role.ts";
import { runTrustTests } from "../../cli/facts/trust/run-tests.ts";
import { holdersOf } from "../../cli/facts/trust/sentences.ts";
import { checkedTests } from "../../cli/facts/trust/trust-file.ts";
import type { Entities } from "../../cli/stack/entities.ts";
import { furnish, MOUNT, NAMES, type PeopleWorld, type PlayServer } from "./people-worlds.ts";

const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = String(publicKey.export({ type: "spki", format: "pem" }));

const PATHS = ["kv", "ann", "bob"].flatMap((first) =>
  ["a", "ann", "bob", "b"].flatMap((second) => ["x", "y"].map((third) => `${first}/${second}/${third}`)),
);
/** What tests ask about, and the paths that it stands for. */
const ASKED = ["kv/a/x", "kv/ann/*", "kv/bob/x", "kv/+/x", "ann/*", "+/a/x"];
const WORDS = ["read", "update"];
const fits = (pattern: string, path: string) =>
  new RegExp(`^${pattern.replaceAll("+", "[^/]+").replace(/\*$/, ".*")}$`).test(path);

/** "Cannot be told", in its words. */
const UNTOLD = /cannot be told|nobody knows/;

interface Claims {
  readonly sub: string;
  readonly ref: string;
  readonly groups: readonly string[];
}

const ATTEMPTS = ["one", "two"].flatMap((role) =>
  ["ann", "bob", "ci"].flatMap((sub) =>
    ["main", "dev"].flatMap((ref) => [[], ["platform"]].map((groups) => ({ role, claims: { sub, ref, groups } }))),
  ),
);

/** What the server decides: undefined for a refusal. */
interface Granted {
  readonly policies: readonly string[];
  readonly able: Readonly<Record<string, readonly string[]>>;
}

/**
 * Plays everybody on the server, and asks test, explain and `never` the same: what they say holds there, or they say that it
 * cannot be told. Answers how many verdicts there were, and of how many they were sure.
 */
export async function playPeople(world: PeopleWorld, server: PlayServer) {
  const furnished = await furnish(world, server, pem);
  try {
    return await compared(world, furnished, server);
  } finally {
    await furnished.clear();
  }
}

async function jwtOf(claims: object): Promise<string> {
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: "ES256" })
    .setIssuedAt()
    .setExpirationTime("5m")
    .sign(privateKey);
}

async function granted(server: PlayServer, role: string, jwt: string): Promise<Granted | undefined> {
  const { status, body } = await server.ask({
    method: "POST",
    path: `auth/${MOUNT}/login`,
    body: { role, jwt },
    token: "",
  });
  if (status >= 300) return undefined;
  const { client_token: token, policies } = body["auth"] as { client_token: string; policies: string[] };
  const { body: answer } = await server.ask({
    method: "POST",
    path: "sys/capabilities",
    body: { token, paths: PATHS },
  });
  return { policies: policies.filter((name) => name !== "default"), able: answer["data"] as Granted["able"] };
}

type Furnished = Awaited<ReturnType<typeof furnish>>;

async function compared(world: PeopleWorld, { records, entities }: Furnished, server: PlayServer) {
  const around = { known: entities, unread: [] };
  const isMember = (sub: string) => world.members.includes(sub);
  const played: Played[] = [];
  for (const { role, claims } of ATTEMPTS) {
    const jwt = await jwtOf(claims);
    played.push({ role, claims, jwt, real: await granted(server, role, jwt) });
  }
  const cases = played.flatMap((each, at) => {
    const { role, claims, real } = each;
    const login = {
      ...{ mount: MOUNT, role, claims: { ...claims, groups: [claims.groups] } },
      notIn: isMember(claims.sub) || world.members.length === 0 ? [] : ["inner"],
    };
    const [asked = "", word = ""] = [ASKED[at % ASKED.length], WORDS[(at >> 1) % WORDS.length]];
    const paths = PATHS.filter((path) => fits(asked, path));
    const mayAt = (path: string) => real?.able[path]?.includes(word) ?? false;
    return [
      { ...each, login, expect: { policies: real?.policies ?? NAMES }, holds: real !== undefined },
      { ...each, login, expect: "refused" as const, holds: real === undefined },
      { ...each, login, expect: { mayNot: { [asked]: [word] } }, holds: real !== undefined && !paths.some(mayAt) },
      { ...each, login, expect: { may: { [asked]: [word] } }, holds: real !== undefined && paths.every(mayAt) },
    ];
  });
  // A search takes long: one for each policy.
  const nevers = NAMES.flatMap((policy, at) =>
    [[{}, { sub: "ann" }, { ref: "main" }][at] ?? {}].map((unless: Partial<Claims>) => ({
      ...{ policy, unless, mount: MOUNT },
      holds: !played.some(
        ({ claims, real }) =>
          real?.policies.includes(policy) &&
          (Object.keys(unless).length === 0 ||
            Object.entries(unless).some(([name, value]) => claims[name as "sub"] !== value)),
      ),
    })),
  );
  const tests = [
    ...cases.map(({ login, expect: wanted }, at) => ({ name: `login ${at}`, login, expect: wanted })),
    ...nevers.map(({ holds: _, ...never }, at) => ({ name: `never ${at}`, never })),
  ];
  const report = await runTrustTests(records, checkedTests({ tests }, "the play"), { entities: around });
  let sure = 0;
  for (const [at, one] of [...cases, ...nevers].entries()) {
    const { passed, problems } = report.tests[at] ?? { passed: false, problems: [] };
    const isUntold = problems.length > 0 && problems.every((problem) => UNTOLD.test(problem));
    sure += isUntold ? 0 : 1;
    // `never` says what it found, which holds on the server whatever the sample has.
    const found = "policy" in one ? problems.flatMap((problem) => foundIn(problem)) : [];
    for (const { role, claims } of found) {
      const real = await granted(server, role, await jwtOf(claims));
      expect({ world, problems, real }).toMatchObject({
        real: { policies: expect.arrayContaining(["policy" in one ? one.policy : ""]) },
      });
    }
    if (found.length > 0 || isUntold) continue;
    // A pattern stands for more paths than are tried: a refusal to promise may be right where the sample shows nothing.
    const isWider = problems.some((problem) => /the token may(?: not)? \w+ [^:]*[*+]/.test(problem));
    if (isWider && !passed) continue;
    expect({ world, test: tests[at], problems, passed }).toEqual({
      world,
      test: tests[at],
      problems,
      passed: one.holds,
    });
  }
  await explained(world, { records, around, played });
  return { verdicts: tests.length, sure };
}

function foundIn(problem: string) {
  const [, role, , json] =
    /^role (\S+) gives policy (\S+) to a token with the claims (\{.*?\})(?:, by .*)?$/.exec(problem) ?? [];
  return role === undefined || json === undefined ? [] : [{ role, claims: JSON.parse(json) as object }];
}

interface Played {
  readonly role: string;
  readonly claims: Claims;
  readonly jwt: string;
  readonly real: Granted | undefined;
}

interface Explained {
  readonly records: Furnished["records"];
  readonly around: Entities;
  readonly played: readonly Played[];
}

async function explained(world: PeopleWorld, { records, around, played }: Explained): Promise<void> {
  const who = new Map(NAMES.map((policy) => [policy, holdersOf(policy, records).join("\n")]));
  for (const { role, claims, jwt, real } of played.filter((_, at) => at % 5 === 0)) {
    const shown = { world, role, claims, real: real?.policies };
    const token = await explainToken(records, { mount: MOUNT, role, jwt, address: "127.0.0.1" }, { entities: around });
    expect({ ...shown, wouldLogIn: token.wouldLogIn }).toEqual({ ...shown, wouldLogIn: real !== undefined });
    if (real === undefined) continue;
    const values = world.roles.find(({ name }) => name === role) ?? {};
    const whole = JSON.stringify(explainedRole(values, records, around));
    for (const policy of NAMES) {
      const has = real.policies.includes(policy);
      const lines = who.get(policy) ?? "";
      const byRole = lines.includes(`Role ${role} of `);
      const isUser = world.people.some(({ user, policies }) => user === claims.sub && policies.includes(policy));
      const isSaid = byRole || /^Group /m.test(lines) || isUser;
      // By the role alone, everybody who gets in has it.
      expect({ ...shown, policy, lines, byRole: byRole && !has }).toEqual({ ...shown, policy, lines, byRole: false });
      if (!has) continue;
      expect({ ...shown, policy, lines, isSaid }).toEqual({ ...shown, policy, lines, isSaid: true });
      expect({ ...shown, policy, result: token.result.includes(policy) }).toEqual({ ...shown, policy, result: true });
      expect({ ...shown, policy, role: whole.includes(policy) }).toEqual({ ...shown, policy, role: true });
    }
  }
}
