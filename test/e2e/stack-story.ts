import {
  createPulumiSandbox,
  type ExportedResource,
  type PulumiResult,
  type PulumiSandbox,
  type RunOptions,
  type SandboxOptions,
} from "../support/pulumi-sandbox.ts";

/** What a stack begins with. */
export interface StackStoryOptions extends Pick<SandboxOptions, "config" | "env" | "sdk"> {
  /** A folder, the text of a CommonJS program, or all its files by path. */
  readonly program: string | { readonly source: string } | { readonly files: Readonly<Record<string, string>> };
}

/** What one call of the CLI printed, and how it ended. */
export interface Told extends PulumiResult {
  /** stdout and stderr. */
  readonly text: string;
}

/** One stack of one program, told call by call: each call of the CLI takes seconds. */
export interface StackStory {
  readonly sandbox: PulumiSandbox;
  /** `pulumi("up --yes")`. Throws, with what was printed, when the exit code is another one than `code`, 0 unless given. */
  pulumi(command: string, options?: RunOptions & { readonly code?: number }): Promise<Told>;
  /** Replaces the program. */
  rewrite(source: string): void;
  /** What the state holds of this provider's resources. */
  resources(): Promise<readonly ExportedResource[]>;
  /** Removes the stack: `beforeAll` may answer this, `onTestFinished` takes it. */
  readonly close: () => Promise<void>;
}

/** For the `beforeAll` that opens a story, on a machine that is busy with others. */
export const openingMs = 120_000;

/** Pulumi's exit code when `--expect-no-changes` found some. */
export const changesFound = 7;

/** Prepares the stack. */
export async function openStackStory({ program, ...options }: StackStoryOptions): Promise<StackStory> {
  const sandbox = await createPulumiSandbox({
    program: typeof program === "string" ? program : "files" in program ? program.files : programFiles(program.source),
    ...options,
  });
  return {
    sandbox,
    close: sandbox.close,
    async pulumi(command, { code = 0, ...how } = {}) {
      const words = command.split(" ");
      const isOperation = ["preview", "up", "refresh", "destroy"].includes(words[0] ?? "");
      const result = await sandbox.run([...words, ...(isOperation ? ["--suppress-progress"] : [])], how);
      const text = result.stdout + result.stderr;
      if (result.code !== code)
        throw new Error(`pulumi ${command} ended with code ${result.code}, not ${code}:\n${text}`);
      return { ...result, text };
    },
    rewrite: (source) => sandbox.write("index.js", source),
    resources: async () =>
      ((await sandbox.export()).deployment.resources ?? []).filter(({ type }) => /\btrustplane[:/]/.test(type)),
  };
}

/** What a program says in its Pulumi.yaml to use the native classes. */
export const pluginStanza = `plugins:
  providers:
    - name: trustplane
      path: node_modules/trustplane/bin
`;

/** A program in plain CommonJS, which starts a second sooner than TypeScript. */
export function programFiles(source: string): Record<string, string> {
  return {
    "Pulumi.yaml": `name: story\nruntime: nodejs\n${pluginStanza}`,
    "package.json": JSON.stringify({ name: "story", private: true, main: "index.js" }),
    "index.js": source,
  };
}
