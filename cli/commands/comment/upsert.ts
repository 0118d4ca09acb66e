import { ProviderError } from "../../../provider/core/errors";
import { isMarked } from "../../views/comment/fitted";
import type { Found, Notes, Written } from "./forge";

export interface Upsert {
  readonly body: string;
  readonly title: string;
  readonly marker: string;
  /** `close`: the note is closed, and none is created. */
  readonly state: "open" | "close";
}

/** What happened to the note, and its address. */
export interface Upserted {
  readonly done: "created" | "edited" | "closed" | "unchanged" | "nothing";
  readonly url?: string;
}

/** After a create that may have succeeded, the note is looked for before the next create. */
const ATTEMPTS = 3;

/** Edits the note with the marker, or creates it. It looks at all pages, so there is never a second one. */
export async function upsert(notes: Notes, { body, title, marker, state }: Upsert): Promise<Upserted> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const edited = await editMarked(notes, { body, marker, state });
    if (edited !== undefined) return edited;
    if (state === "close") return { done: "nothing" };
    const created = await notes.create(body, title);
    if (created.is === "done") return { done: "created", url: created.url };
    if (created.is === "notOurs") break;
  }
  throw new ProviderError(
    "ApiError",
    `writing ${notes.what}: the forge did not say whether it was made. Run the job again.`,
  );
}

async function editMarked(
  notes: Notes,
  { body, marker, state }: Pick<Upsert, "body" | "marker" | "state">,
): Promise<Upserted | undefined> {
  for await (const note of notes.all()) {
    if (!isMarked(note.body, marker) || !(await notes.isOurs(note.author))) continue;
    const written = await write(notes, note, body, state);
    if (written === "unchanged") return { done: "unchanged" };
    // Otherwise this token may not edit the note any more, so a new one is created.
    if (written.is === "done") return { done: state === "close" ? "closed" : "edited", url: written.url };
  }
  return undefined;
}

async function write(notes: Notes, note: Found, body: string, state: Upsert["state"]): Promise<Written | "unchanged"> {
  if (state === "close") return notes.close(note.id, body);
  return sameText(note.body, body) ? "unchanged" : notes.edit(note.id, body);
}

/** Forges trim, and some send line ends of their own. */
function sameText(a: string, b: string): boolean {
  const plain = (text: string) => text.replace(/\r\n/g, "\n").trim();
  return plain(a) === plain(b);
}
