// @ts-check
// Preloaded (`node --require`) into processes that must not outlive the one that started them. Pulumi's plugins are told to
// end by the CLI; when the CLI itself was killed, nobody tells them, and they would wait for ever.
const parent = process.ppid;
const everyMs = 500;
/** For whoever handles SIGTERM and has something to put in order. */
const graceMs = 10_000;

const watch = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  setTimeout(() => process.exit(1), graceMs).unref();
  process.kill(process.pid, "SIGTERM");
}, everyMs);
watch.unref();
