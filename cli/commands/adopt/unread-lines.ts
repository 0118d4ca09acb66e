import type { NotAdopted } from "../../sources/servers/found-record";
import { visibleLine } from "../../text/visible-text";

const MOST_NAMES = 3;

/** What the servers refused, a line for each cause: without a server, each list is refused for the same one. */
export function unreadLines(unread: readonly NotAdopted[]): string[] {
  const groups = [...Map.groupBy(unread, ({ reason }) => causeOf(reason)).values()];
  return groups.map((group) => {
    const names = group.slice(0, MOST_NAMES).map(({ what }) => visibleLine(what));
    const rest = group.length > MOST_NAMES ? ` and ${group.length - MOST_NAMES} more` : "";
    return `${names.join(", ")}${rest} could not be read: ${group[0]?.reason}`;
  });
}

/** Where no file is written that would name them. */
export function leftOutLines(leftOut: readonly NotAdopted[]): string[] {
  return leftOut.map(({ what, reason }) => `${visibleLine(what)} is left out: ${reason}`);
}

/** The reason without the request, in which those of one cause differ. */
function causeOf(reason: string): string {
  return reason.replace(/^(listing|reading) \S+( ".*?")?: /, "").replace(/\(GET [^)]*\)/g, "");
}
