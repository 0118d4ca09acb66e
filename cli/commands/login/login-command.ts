import { homedir } from "node:os";
import { formatDuration } from "../../../provider/core/duration";
import { ProviderError } from "../../../provider/core/errors";
import { messageOf } from "../../../provider/engine/operation";
import { unlessAborted } from "../../../provider/engine/unless-aborted";
import type { Terminal } from "../../io/terminal";
import { visibleText } from "../../text/visible-text";
import { openCallbackListener } from "./callback-listener";
import type { LoginFlags } from "./login-flags";
import { loginSettings, warningsAbout } from "./login-settings";
import { type LoggedIn, ownerText, startOidcLogin } from "./oidc-login";
import { openBrowser } from "./open-browser";
import { ownTarget, storeToken, tokenPath } from "./stored-token";

/** Logs a person in through a browser. Returns the exit code. */
export async function login(flags: LoginFlags, terminal: Terminal): Promise<number> {
  const say = (text: string) => terminal.err(`trustplane: ${visibleText(text)}\n`);
  const ending = new AbortController();
  const end = (why: string) => ending.abort(new ProviderError("ConfigError", why));
  // Listen first: a signal that arrives during the start must not be lost.
  void terminal.ended().then(() => end("it was interrupted."));
  const waited = formatDuration(flags.timeout);
  let isShown = false;
  const shown = () => {
    isShown = true;
  };
  const late = () =>
    isShown
      ? `nobody has logged in within ${waited}. Run it again; --timeout waits longer.`
      : `the server gave no address to log in at within ${waited}. \`trustplane doctor\` says why.`;
  const timer = setTimeout(() => end(late()), flags.timeout * 1000);
  try {
    await logIn({ flags, terminal, say, shown, signal: ending.signal });
    return 0;
  } catch (error) {
    say(`not logged in: ${messageOf(ending.signal.aborted ? ending.signal.reason : error)}`);
    return 1;
  } finally {
    clearTimeout(timer);
  }
}

interface Attempt {
  readonly flags: LoginFlags;
  readonly terminal: Terminal;
  readonly say: (text: string) => void;
  /** Called when the person has the address to log in at. */
  readonly shown: () => void;
  readonly signal: AbortSignal;
}

async function logIn({ flags, terminal, say, shown, signal }: Attempt): Promise<void> {
  const { mount, role, port, listenAddress, callbackHost: host, callbackPort, callbackMethod: scheme } = flags;
  const settings = loginSettings(flags, process.env);
  const path = flags.store && !flags.tokenOnly ? tokenPath() : undefined;
  // Before anybody logs in in vain.
  if (path !== undefined) ownTarget(path);
  const listener = await openCallbackListener({ listenAddress, port, scheme, host, callbackPort });
  try {
    const { redirectUri } = listener;
    const started = await startOidcLogin({ settings, mount, role, redirectUri, signal });
    terminal.err(`Log in in your browser, at this address:\n\n${started.url.href}\n\n`);
    shown();
    if (!flags.skipBrowser)
      openBrowser(started.url, (program) => say(`${program} could not open a browser; open the address yourself.`));
    const callback = await unlessAborted(listener.callback(started.state), signal);
    try {
      const found = await started.complete(callback.query);
      await keep(found, path, terminal);
      const where = path === undefined ? "" : ` The token is in ${path.replace(homedir(), "~")}.`;
      if (!flags.tokenOnly) terminal.err(`Logged in at ${settings.address.origin}${ownerText(found)}.${where}\n`);
      await callback.show("done");
    } catch (error) {
      await callback.show("failed");
      throw error;
    }
  } finally {
    listener.close();
  }
  if (path !== undefined) for (const warning of warningsAbout(path, settings, process.env)) say(warning);
}

/** Stores the token, or prints it where there is no path. One that cannot be stored is of no use to anybody. */
async function keep({ token, revoke }: LoggedIn, path: string | undefined, terminal: Terminal): Promise<void> {
  if (path === undefined) return terminal.out(`${token}\n`);
  try {
    storeToken(path, token);
  } catch (error) {
    await revoke();
    throw error;
  }
}
