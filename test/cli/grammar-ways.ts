import { mkdtempSync, openSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import type { CommandName, CommandRow } from "../../cli/commands/options/commands.ts";
import { explainSteps } from "../support/explain-cases.ts";
import { previewJson, type WantedStep } from "./preview-text.ts";
import { recording } from "./terraform-harness.ts";

export const folder = mkdtempSync(join(tmpdir(), "trustplane-grammar-"));
export const path = (name: string) => join(folder, name);

/** A state with what the preview of the same steps has. */
const stateOf = (steps: readonly WantedStep[]) =>
  JSON.stringify({
    version: 3,
    deployment: {
      resources: steps.map(({ token, name, after = {} }) => ({
        urn: `urn:pulumi:dev::story::pulumi-nodejs:dynamic/trustplane/${token}::${name}`,
        type: `pulumi-nodejs:dynamic/trustplane/${token}`,
        custom: true,
        id: IDS[token],
        inputs: after,
        outputs: after,
      })),
    },
  });
const IDS: Readonly<Record<string, string>> = {
  "jwt:Config": "auth/jobs/config",
  "jwt:Role": "auth/jobs/role/deploy",
  "sys:Policy": "sys/policies/acl/deploy",
};

export const FILES = {
  "state.json": stateOf(explainSteps),
  "preview.json": previewJson({ steps: explainSteps }),
  "terraform.tfstate": recording("state"),
  "plan.json": recording("change"),
  "empty.json": "",
  "other.json": '{"a":1}',
  "trust.yml":
    "tests:\n  - name: nobody\n    login: { mount: jobs, role: deploy, claims: { sub: x } }\n    expect: refused\n",
};

/** A command that looks at a stack, and what the first line says of each stack. */
export interface Subject {
  readonly command: CommandName;
  readonly words: readonly string[];
  readonly first: RegExp;
  readonly code?: 0 | 1 | 2;
  readonly terraform: RegExp;
  readonly terraformCode?: 1 | 2;
  /** Without a stack it looks at the servers of the environment. */
  readonly serverless?: true;
}

const own = /^Role deploy of auth\/jobs: Every token of https:\/\/git\.example\.com/;
const terraform = /^Role deploy of auth\/jwt: Every token of https:\/\/ci\.example\.com/;

export const SUBJECTS: readonly Subject[] = [
  {
    ...{ command: "drift", words: [], first: /^Drift in story\/dev: 3 resources, 3 missing/, code: 2 },
    ...{ terraform: /^Incomplete, drift cannot be ruled out: 10 resources/, terraformCode: 1 },
  },
  {
    ...{ command: "lint", words: [], first: /^3 resources looked at: 0 notes/ },
    ...{ terraform: /^error: jwt\.RoleSet trustplane_jwt_role_set\.jobs: /, terraformCode: 2 },
  },
  {
    ...{ command: "map", words: [], first: /^1 issuer, 1 auth method, 1 role, / },
    terraform: /^1 issuer, 2 auth methods, 5 roles, /,
  },
  { command: "permissions", words: [], first: /^# Connection secrets: /, terraform: /^# Connection policy: / },
  {
    ...{ command: "test", words: [path("trust.yml")], first: /^ok {6}nobody/ },
    ...{ terraform: /^FAILED {2}nobody/, terraformCode: 2 },
  },
  { command: "explain", words: ["role", "deploy"], first: own, terraform },
  { command: "explain", words: ["who", "--policy", "deploy"], first: own, terraform },
  {
    command: "explain",
    words: ["token", "--mount", "jobs", "--address", "127.2.3.4", "--role", "deploy", "--token", path("job.jwt")],
    ...{
      first: /^ok {4}boundIssuer: /,
      terraform: /^trustplane: the stack has no role deploy at auth\/jobs/,
      terraformCode: 1,
    },
  },
  {
    ...{ command: "adopt", words: ["--diff"], first: /^trustplane: auth\/jobs\/role could not be read: /, code: 1 },
    ...{ terraform: /^trustplane: the state is one of Terraform: give --language hcl/, terraformCode: 1 },
  },
  {
    ...{ command: "doctor", words: [], first: /^secrets +/, code: 2, terraform: /^secrets +/, terraformCode: 2 },
    serverless: true,
  },
];

interface Expected {
  readonly code: number;
  readonly first: RegExp;
}

/** How the command is told what to look at, and what it does then. */
interface Way {
  readonly words?: readonly string[];
  readonly input?: () => string | NodeJS.ReadableStream;
  readonly expected: (subject: Subject, input: Input) => Expected;
  /** Whether the Pulumi CLI is asked, and for which stack. */
  readonly asks?: RegExp;
}
type Input = NonNullable<CommandRow["input"]>;

const stack = ({ first, code = 0 }: Subject): Expected => ({ first, code });
const ofTerraform = (subject: Subject) => ({ first: subject.terraform, code: subject.terraformCode ?? 0 });
const refused = (first: RegExp) => (): Expected => ({ first, code: 1 });
const isEither = ({ takes }: Input) => takes === "a state or a preview";
const onlyState = (flag: string, then: (subject: Subject) => Expected) => (subject: Subject, input: Input) =>
  isEither(input) ? then(subject) : { first: new RegExp(flag), code: 1 };
const UNKNOWN_FLAG = "^error: unknown option '--preview'";
const NO_STATE = "^trustplane: the input is a (preview|plan), and a state is needed: ";

const text = (name: keyof typeof FILES) => () => FILES[name];
export const aTerminal = () => Object.assign(new PassThrough(), { isTTY: true });
const NOTHING = "/dev/null";
const noInput = () => Object.assign(Readable.from([]), { fd: openSync(NOTHING, "r") });
/** A parent in Node gives a socket, which it may never end. */
const unnamed = (subject: Subject, { emptyPipe }: Input): Expected =>
  emptyPipe === "no stack" ? { first: /^trustplane: nothing names a connection/, code: 1 } : stack(subject);

export const WAYS: Readonly<Record<string, Way>> = {
  "nothing, at a terminal": { input: aTerminal, expected: unnamed, asks: /^stack export --non-interactive$/m },
  "nothing, without an input": { input: noInput, expected: unnamed, asks: /^stack export --non-interactive$/m },
  "a pipe with a state": { input: text("state.json"), expected: stack },
  "a pipe with a state of Terraform": { input: text("terraform.tfstate"), expected: ofTerraform },
  "a pipe with a preview": { input: text("preview.json"), expected: onlyState(NO_STATE, stack) },
  "a pipe with a plan": { input: text("plan.json"), expected: onlyState(NO_STATE, ofTerraform) },
  "a pipe with nothing in it": {
    expected: (subject, input) =>
      input.emptyPipe === "refused"
        ? { first: /^trustplane: the standard input is empty, and so no state of a stack/, code: 1 }
        : unnamed(subject, input),
    asks: /^stack export --non-interactive$/m,
  },
  "--stack": { words: ["--stack", "dev"], expected: stack, asks: /^stack export --non-interactive --stack dev$/m },
  "--stack, beside a pipe": {
    words: ["--stack", "dev"],
    input: text("other.json"),
    expected: stack,
    asks: /--stack dev/,
  },
  "--state": { words: ["--state", path("state.json")], expected: stack },
  "--state -": { words: ["--state", "-"], input: text("state.json"), expected: stack },
  "--state of Terraform": { words: ["--state", path("terraform.tfstate")], expected: ofTerraform },
  "--state with an empty file": {
    words: ["--state", path("empty.json")],
    expected: refused(/^trustplane: the file .*empty\.json is empty, and so no state of a stack/),
  },
  "--state with a file of another kind": {
    words: ["--state", path("other.json")],
    expected: refused(/^trustplane: this is no state of a stack/),
  },
  "--state with a file that is not there": {
    words: ["--state", path("nowhere")],
    expected: refused(/^trustplane: the file .*nowhere cannot be read\.$/),
  },
  "--preview": { words: ["--preview", path("preview.json")], expected: onlyState(UNKNOWN_FLAG, stack) },
  "--preview with a plan": { words: ["--preview", path("plan.json")], expected: onlyState(UNKNOWN_FLAG, ofTerraform) },
  "--preview with a state": {
    words: ["--preview", path("state.json")],
    expected: onlyState(UNKNOWN_FLAG, refused(/^trustplane: this is no preview/)),
  },
  "a file": { words: [path("state.json")], expected: stack },
  "a file with a plan": { words: [path("plan.json")], expected: onlyState(NO_STATE, ofTerraform) },
  "-": { words: ["-"], input: text("state.json"), expected: stack },
  "- at a terminal": {
    words: ["-"],
    input: aTerminal,
    expected: refused(/^trustplane: nothing comes on the standard input, which is a terminal: /),
  },
  "a file beside --stack": {
    words: ["--stack", "dev", path("state.json")],
    expected: refused(/^trustplane: --stack takes no file beside it: /),
  },
  "a file beside --state": {
    words: ["--state", path("state.json"), path("state.json")],
    expected: refused(/^trustplane: --state takes no file beside it: /),
  },
  "a wrong flag": { words: ["--nonsense"], expected: refused(/^error: unknown option '--nonsense'/) },
};
