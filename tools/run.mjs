// @ts-check
// The door of every `npm run …` of this repository. It runs on whatever Node the machine has, with nothing installed, so it
// (and all that it imports before `node_modules` exists) uses Node's built-ins only.

const oldestNode = 20;

if (Number(process.versions.node.split(".")[0]) < oldestNode) {
  process.stderr.write(
    `trustplane: this is Node ${process.versions.node}; the commands of this repository start on Node ${oldestNode} or newer.\n` +
      `Install a current Node.js and run the command again; everything else it needs it brings along.\n`,
  );
  process.exit(1);
}

// Imported only now: these files use syntax that an older Node would report as a SyntaxError instead of the sentence above.
import("./bootstrap.mjs").then(({ bootstrap }) => bootstrap(process.argv.slice(2)));
