import { type BenchStack, commands, openBenchStack } from "../bench-program.mts";
import { type BenchServer, withServer } from "../bench-server.mts";
import type { Goal } from "../goal.mts";
import { table } from "../markdown.mts";
import {
  countsText,
  isMet,
  type RequestCounts,
  type RequestTarget,
  requestCounts,
  targetText,
} from "../request-counts.mts";
import { type SampleResources, sampleParameters, sampleRoles, sampleTokens } from "../sample-resources.mts";
import type { BenchContext, Findings, Section } from "../section.mts";

/** Enough to tell "one each" from "one for all", and below the page size of every list. */
const most = 8;

/** The resources, each on a connection of its own. */
const subjects = {
  secrets: "`jwt.Role`",
  policy: "`policy.Parameter` of one set",
  cluster: "`cluster.PeeringToken`",
} as const;
type Subject = keyof typeof subjects;
const subjectNames = ["secrets", "policy", "cluster"] as const satisfies readonly Subject[];
type Counts = Readonly<Record<Subject, RequestCounts>>;

interface Operation {
  readonly title: string;
  readonly args: readonly string[];
  readonly revision: number;
  targetFor(subject: Subject, count: number): RequestTarget;
}

const atMostOneReadEach = (subject: Subject, count: number) => {
  // The list is the only way to read these two.
  return subject === "secrets" ? { read: { atMost: count } } : { list: { atMost: count } };
};

const operations: readonly Operation[] = [
  {
    title: "create (`up`)",
    args: commands.up,
    revision: 0,
    targetFor: (subject, count) => ({ write: count, ...atMostOneReadEach(subject, count) }),
  },
  { title: "preview without refresh", args: commands.preview, revision: 0, targetFor: () => ({}) },
  { title: "`up` with nothing to do", args: commands.up, revision: 0, targetFor: () => ({}) },
  {
    title: "refresh",
    args: commands.refresh,
    revision: 0,
    targetFor: (subject, count) => (subject === "secrets" ? { read: count } : { list: 1 }),
  },
  { title: "preview of an update", args: ["preview"], revision: 1, targetFor: () => ({}) },
  {
    title: "update (`up`)",
    args: commands.up,
    revision: 1,
    targetFor: (subject, count) => ({ write: count, ...atMostOneReadEach(subject, count) }),
  },
  {
    title: "delete (`destroy`)",
    args: commands.destroy,
    revision: 1,
    // The record of a peering goes later than the answer: at least one look each, until it is gone.
    targetFor: (subject, count) => ({
      delete: count,
      ...(subject === "cluster" ? { read: { atMost: Infinity } } : {}),
    }),
  },
];

export const requests: Section = {
  name: "requests",
  title: "Requests per operation",
  measure: (context) => withServer((server) => measure(context, server)),
};

async function measure(context: BenchContext, server: BenchServer): Promise<Findings> {
  const count = Math.min(context.roles, most);
  const stack = await openBenchStack(resourcesOf(count, server, 0), server.env);
  try {
    const rows: string[][] = [];
    const goals: Goal[] = [];
    for (const operation of operations) {
      const { title } = operation;
      const counts = await context.step(`requests: ${title}`, () => countOne(operation, { stack, server, count }));
      rows.push([title, ...subjectNames.map((subject) => countsText(counts[subject]))]);
      goals.push(...goalsOf(operation, counts, count));
    }
    const kinds = "A version request asks which server this is; every goal allows one per connection and process.";
    const text = [
      `${count} resources of each kind, counted by the embedded server's own log. ${kinds} Every \`up\` and \`refresh\` ran without a preview before it.`,
      "",
      table(["operation", ...subjectNames.map((subject) => subjects[subject])], rows),
    ];
    return { text: text.join("\n"), goals };
  } finally {
    await stack.sandbox.close();
  }
}

async function countOne(
  { args, revision }: Operation,
  { stack, server, count }: { stack: BenchStack; server: BenchServer; count: number },
): Promise<Counts> {
  stack.declare(resourcesOf(count, server, revision));
  await server.takeRequests();
  await stack.run(args);
  const seen = await server.takeRequests();
  const of = (subject: Subject) => requestCounts(seen.filter(({ service }) => service === subject));
  return { secrets: of("secrets"), policy: of("policy"), cluster: of("cluster") };
}

function goalsOf({ title, targetFor }: Operation, counts: Counts, count: number): Goal[] {
  return subjectNames.map((subject) => {
    const target = targetFor(subject, count);
    return {
      what: `requests of ${count} ${subjects[subject]}: ${title}`,
      goal: targetText(target),
      measured: countsText(counts[subject]),
      met: isMet(target, counts[subject]) ? "yes" : "no",
    };
  });
}

function resourcesOf(count: number, { policy }: BenchServer, revision: number): SampleResources {
  return {
    roles: sampleRoles(count, { revision }),
    parameters: sampleParameters(count, policy.policySet, { revision }),
    tokens: sampleTokens(count, { revision }),
  };
}
