import type { Terminal } from "./terminal";

const PROGRESS_MS = 100;

/** A line of progress that is overwritten. Nothing is written where `err` is no terminal. */
export function progressOn({ err, isWatched }: Terminal, text: (done: number, all: number) => string) {
  let shownAt = 0;
  if (!isWatched) return { progress: () => {}, clear: () => {} };
  return {
    progress(done: number, all: number) {
      if (Date.now() - shownAt < PROGRESS_MS && done < all) return;
      shownAt = Date.now();
      err(`\r\x1b[K${text(done, all)}`);
    },
    clear() {
      if (shownAt > 0) err("\r\x1b[K");
      shownAt = 0;
    },
  };
}
