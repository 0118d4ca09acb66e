/** Where a scenario is recorded. `reference`: written by hand from the recorded shapes of the reference, for want of a server. */
export type ServerName = "vault-1.21" | "vault-1.19" | "openbao" | "consul" | "reference";

export type Service = "secrets" | "cluster" | "policy";

/**
 * What the provider's own client must make of an answer. `ok`: a record, or nothing in particular; `found`: a record that
 * holds this, or a list like this. `document`: no record of the API, so that whoever reads one gets an error. `unasked`: the
 * client has no such verb.
 */
export type Outcome =
  | "ok"
  | "absent"
  | "document"
  | "unasked"
  | { readonly found: object }
  | { readonly error: "ApiError" | "ResponseError"; readonly says: RegExp };

/** One request. `{name}` in any text of it stands for something that the run knows (see `run-scenario`). */
export interface Call {
  /** Verb and path below the API's prefix; a path that starts with `/` is taken as it is. */
  readonly request: string;
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whose token: `root` when not given, `nobody` has none, `stranger` an invalid one; else one that an earlier step kept. */
  readonly as?: string;
  /** Which server, where the run has several; the first one when not given. */
  readonly on?: string;
  /** Values that later steps need, by JSON pointer into the answer. In what is recorded they read `<name>`. */
  readonly keep?: Readonly<Record<string, string>>;
  /** The call is repeated until its answer matches: what a server does in the background. */
  readonly until?: RegExp;
}

/** A recorded request. */
export interface Step extends Call {
  /** What it shows; unique within the scenario. */
  readonly title: string;
  readonly outcome: Outcome;
  /** Section of the reference that shows the answer, where no server could be asked. */
  readonly section?: string;
  /** Only there, where the servers of the scenario differ in what they can do. */
  readonly servers?: readonly ServerName[];
}

export interface Scenario {
  /** Kebab-case; with the service it names the file of its recordings. */
  readonly topic: string;
  readonly service: Service;
  readonly servers: readonly ServerName[];
  /** Users that the cloud has from the start. */
  readonly cloudUsers?: readonly string[];
  /** Names made afresh for every run, for servers that serve several scenarios. */
  readonly names?: readonly string[];
  /** Not recorded; each must succeed. `seal` seals the server, `stop` stops its cluster agent. */
  readonly before?: readonly (Call | "seal" | "stop")[];
  readonly steps: readonly Step[];
}

/** A step as a row: what it shows, what is asked, and what the client makes of the answer. */
export function step(
  title: string,
  request: string,
  outcome: Outcome,
  more: Omit<Step, "title" | "request" | "outcome"> = {},
): Step {
  return { title, request, outcome, ...more };
}

/** Most are of the secrets server. Without `servers`, all of the service that are recorded. */
export function defineScenario({
  service = "secrets",
  servers = SERVERS[service],
  ...rest
}: Omit<Scenario, "service" | "servers"> & Partial<Pick<Scenario, "service" | "servers">>): Scenario {
  const scenario = { ...rest, service, servers };
  const titles = scenario.steps.map(({ title }) => title);
  const twice = titles.find((title, at) => titles.indexOf(title) !== at);
  if (twice !== undefined) throw new Error(`${nameOf(scenario)} has two steps "${twice}"`);
  return scenario;
}

const SERVERS = {
  secrets: ["vault-1.21", "vault-1.19", "openbao"],
  cluster: ["consul"],
  policy: ["reference"],
} as const satisfies Record<Service, readonly ServerName[]>;

/** The outcome of an answer that the client passes on as an error of the server. */
export function refused(says: RegExp): Extract<Outcome, { readonly error: unknown }> {
  return { error: "ApiError", says };
}

export function nameOf({ service, topic }: Scenario): string {
  return `${service}-${topic}`;
}

/** The steps of a scenario on one of its servers. */
export function stepsOn(scenario: Scenario, server: ServerName): readonly Step[] {
  return scenario.steps.filter(({ servers }) => servers?.includes(server) ?? true);
}
