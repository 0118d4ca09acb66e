import { type Command, InvalidArgumentError, Option } from "commander";
import { parseWrittenDuration } from "../../../provider/core/duration";
import { isMount } from "../../../provider/core/login-entry";
import { helpText } from "../options/help-text";
import { portFlag } from "../options/parsed-options";
import { urlHost } from "./callback-listener";

/** The command line of `trustplane login`, as commander gives it. */
export interface LoginFlags {
  readonly address?: string;
  readonly namespace?: string;
  readonly mount: string;
  readonly role?: string;
  readonly port: number;
  readonly listenAddress: string;
  readonly callbackHost: string;
  readonly callbackPort?: number;
  readonly callbackMethod: "http" | "https";
  readonly skipBrowser?: boolean;
  /** False for `--no-store`. */
  readonly store: boolean;
  readonly tokenOnly?: boolean;
  /** In seconds. */
  readonly timeout: number;
}

/** `trustplane login`, with its flags. */
export function addLogin(program: Command, run: (flags: LoginFlags) => Promise<void>): void {
  program
    .command("login")
    .summary("log in to Vault or OpenBao in a browser")
    .description(
      "Log in to Vault or OpenBao in a browser, at an OIDC provider, as `vault login -method=oidc` does. The token is stored in ~/.vault-token, where trustplane and the vault command find it. It is not shown.",
    )
    .option("--address <url>", "address of the server (default: VAULT_ADDR)", address)
    .option("--namespace <name>", "namespace of the auth method (default: VAULT_NAMESPACE)")
    .option("--mount <path>", "where the auth method is mounted, without auth/", mount, "oidc")
    .option("--role <name>", "role to log in with (default: the auth method's default_role)")
    .option("--port <port>", "port to listen on for the browser; 0 for any free one", portFlag, 8250)
    .option("--listen-address <address>", "address to listen on", "127.0.0.1")
    .option("--callback-host <host>", "host that the browser is sent back to", host, "localhost")
    .option("--callback-port <port>", "port that the browser is sent back to (default: that of --port)", portFlag)
    .addOption(
      new Option("--callback-method <scheme>", "scheme that the browser is sent back with")
        .choices(["http", "https"])
        .default("http"),
    )
    .option("--skip-browser", "open no browser, only print the address")
    .option("--no-store", "print the token instead of storing it")
    .option("--token-only", "print the token, nothing else, and do not store it")
    .addOption(
      new Option("--timeout <duration>", "how long to wait for the login").argParser(timeout).default(120, "2m"),
    )
    .addHelpText("after", helpText("login", { about: ABOUT, examples: EXAMPLES }))
    .action((flags: LoginFlags) => run(flags));
}

function address(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("An address is a URL, such as https://vault.example.com.");
}

function mount(text: string): string {
  const path = text.replace(/^\/+|\/+$/g, "");
  if (isMount(path)) return path;
  throw new InvalidArgumentError("A mount is a path without empty parts, `.` or `..`.");
}

function host(text: string): string {
  const isWritten = /^[\w.-]+$|^\[?[\da-f:]+\]?$/i.test(text);
  if (isWritten && URL.canParse(`http://${urlHost(text)}`)) return text;
  throw new InvalidArgumentError("A host is a name or an address, without a scheme or a port.");
}

function timeout(text: string): number {
  const seconds = parseWrittenDuration(text);
  if (typeof seconds === "number" && seconds > 0 && seconds <= 86_400) return seconds;
  throw new InvalidArgumentError("A timeout is a duration such as 90s or 5m, of a day at most.");
}

const ABOUT = `
The role must have the address that the browser is sent back to in its allowed_redirect_uris, and the provider must allow it, too:
http://localhost:8250/oidc/callback, unless other options are given.

How the server is reached is said by the environment: VAULT_ADDR, VAULT_NAMESPACE, VAULT_CACERT and so on.
`;

const EXAMPLES = [
  "trustplane login",
  "trustplane login --role engineer --mount okta",
  "export VAULT_TOKEN=$(trustplane login --token-only)",
];
