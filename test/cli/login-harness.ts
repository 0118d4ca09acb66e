import { onTestFinished, vi } from "vitest";
import { runCommand } from "../../cli/run-command.ts";
import { folderOfTest } from "../support/temporary-folder.ts";

/** A login that waits for its browser. */
export interface WaitingLogin {
  readonly home: string;
  /** What it has printed so far. */
  out(): string;
  err(): string;
  /** The address to log in at, once it is printed. */
  url(): Promise<string>;
  /** Where the browser is sent back to, with the port that it listens on. */
  redirect(): Promise<URL>;
  /** As a signal does. */
  interrupt(): void;
  readonly exitCode: Promise<number>;
}

/** Variables of the machine that would name another server or token. */
const AMBIENT = /^(BAO|VAULT)_|^TRUSTPLANE_LOGIN_/;

/** Runs `trustplane login` in this process, on any free port, with a home directory of its own. */
export function startLogin(env: Readonly<Record<string, string>>, ...words: readonly string[]): WaitingLogin {
  const home = env["HOME"] ?? folderOfTest();
  for (const name of Object.keys(process.env)) if (AMBIENT.test(name)) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries({ ...env, HOME: home })) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  let [out, err] = ["", ""];
  const ended = Promise.withResolvers<void>();
  const address = Promise.withResolvers<string>();
  const exitCode = runCommand(["login", "--skip-browser", "--port", "0", ...words], {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
      const url = /^https?:\S+$/m.exec(err)?.[0];
      if (url !== undefined) address.resolve(url);
    },
    ended: () => ended.promise,
    input: process.stdin,
    hasColours: false,
    isWatched: false,
  });
  void exitCode.then(() => address.reject(new Error(`it ended: ${err}`)));
  // A test that expects no address does not wait for one.
  address.promise.catch(() => {});
  onTestFinished(async () => {
    ended.resolve();
    await exitCode;
  });
  const url = () => address.promise;
  return {
    home,
    out: () => out,
    err: () => err,
    url,
    redirect: async () => new URL(new URL(await url()).searchParams.get("redirect_uri") ?? ""),
    interrupt: () => ended.resolve(),
    exitCode,
  };
}
