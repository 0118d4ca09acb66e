import * as pulumi from "@pulumi/pulumi";

type Functions = typeof import("trustplane/dynamic/functions");

/** What the SDK knows of a function, whoever serves it. */
export interface CommonTraits {
  /** As a program calls it: `jwt.getRole`. */
  readonly title: string;
  /** The server makes something new on every call: only during an update, never in a preview. */
  readonly issues: boolean;
  /** The result holds secrets, and so is one. */
  readonly isSecret: boolean;
}

/** What the SDK knows of a function; generated from the function's table. */
export interface FunctionTraits extends CommonTraits {
  /** Name of the table. */
  readonly name: Parameters<Functions["call"]>[0];
}

export type Known = Readonly<Record<string, unknown>>;

/** Who answers. */
export interface Answering {
  call(args: Known): Promise<unknown>;
  /** Refuses arguments as `call` does, without issuing anything. */
  check(args: Known): Promise<unknown>;
}

/** Calls a function at once. Rejects in a preview where the server would issue something. */
export function call<Result>(traits: FunctionTraits, args: object | undefined): Promise<Result> {
  return answer(traits, answering(traits), args);
}

/**
 * Calls a function when its arguments are known and what they come from is made. The result is unknown before that, and
 * in a preview where the server would issue something.
 */
export function callOutput<Result>(
  traits: FunctionTraits,
  args: object | undefined,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<Result> {
  return answerOutput(traits, answering(traits), args, opts);
}

/** What `call` does, whoever answers. */
export async function answer<Result>(
  { title, issues }: CommonTraits,
  answering: Answering,
  args: object | undefined,
): Promise<Result> {
  if (issues && pulumi.runtime.isDryRun()) {
    const instead = `Use ${title}Output, whose result is unknown in a preview.`;
    throw new pulumi.RunError(`${title} has the server issue something, which a preview must not. ${instead}`);
  }
  return quietly(() => answering.call({ ...args }));
}

/** What `callOutput` does, whoever answers. */
export function answerOutput<Result>(
  { issues, isSecret }: CommonTraits,
  answering: Answering,
  args: object | undefined,
  { dependsOn }: pulumi.InvokeOutputOptions = {},
): pulumi.Output<Result> {
  const given = pulumi.output<Known>({ ...args });
  const made = pulumi.all([madeFirst(given), pulumi.output(dependsOn).apply((resources) => idsOf([resources].flat()))]);
  const result = pulumi.all([given, made]).apply(async ([known]): Promise<Result> => {
    if (!issues || !pulumi.runtime.isDryRun()) return quietly(() => answering.call(known));
    await quietly(() => answering.check(known));
    // The mark of a value that is not known yet: the Output of it has no value either.
    return pulumi.unknown as unknown as Result;
  });
  // There is nothing in a plain result that Pulumi would unwrap.
  return isSecret ? (pulumi.secret(result) as pulumi.Output<Result>) : result;
}

/** Loaded at the first call: a program that calls nothing does not wait for what talks to servers. */
function answering({ name }: FunctionTraits): Answering {
  const functions = () => import("trustplane/dynamic/functions");
  return {
    call: async (args) => (await functions()).call(name, args),
    check: async (args) => (await functions()).check(name, args),
  };
}

/** Known when all resources exist that the value comes from: a preview may know the name of what is yet to be made. */
function madeFirst(value: pulumi.Output<unknown>): pulumi.Output<unknown> {
  // Not in the declared type, but what Pulumi's own functions look at.
  const { allResources } = value as { allResources?: () => Promise<Set<pulumi.Resource>> };
  const resources = allResources?.().then((found) => [...found]);
  return pulumi.output(resources).apply((found) => idsOf(found ?? []));
}

function idsOf(resources: readonly unknown[]): pulumi.Output<unknown> {
  const ids = resources.map((each) => {
    if (pulumi.CustomResource.isInstance(each)) return each.id;
    return pulumi.Resource.isInstance(each) ? each.urn : undefined;
  });
  return pulumi.all(ids);
}

async function quietly<Result>(ask: () => Promise<unknown>): Promise<Result> {
  try {
    // The rows that the result comes from are those that its type is generated from.
    return (await ask()) as Result;
  } catch (error) {
    // Pulumi prints a RunError without the stack, which is of no use to the user; programs look at `code`.
    const reason = error instanceof Error ? error.message : String(error);
    throw Object.assign(new pulumi.RunError(reason), error);
  }
}
