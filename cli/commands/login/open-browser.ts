import { spawn } from "node:child_process";

/** The program of each system that opens an address. None of them is a shell, which would read signs such as `&`. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens an address, which must be of http or https, in the system's browser. It is not waited for. */
export function openBrowser(url: URL, failed: (program: string) => void): void {
  const [program, ...words] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...words, url.href], { stdio: "ignore", detached: true });
  child.once("error", () => failed(program));
  child.once("exit", (code) => {
    if (code !== 0 && code !== null) failed(program);
  });
  // A browser that was not running yet may stay for hours.
  child.unref();
}
