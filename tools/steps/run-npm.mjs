// @ts-check
import { basename, delimiter, dirname } from "node:path";
import { repository } from "./repository.mjs";
import { runTool } from "./run-tool.mjs";
import { systemNode } from "./system-node.mjs";

/**
 * Runs npm (the one that runs us, when there is one) in the repository, or in `cwd`.
 * @param {readonly string[]} args
 * @param {{ cwd?: string, next?: string, onLine?: (line: string) => void }} [options]
 */
export function runNpm(args, { cwd = repository, ...options } = {}) {
  const node = systemNode();
  // An outer `npm run --silent` says so in the environment; then a failing `npm ci` would not say why.
  const env = {
    ...process.env,
    npm_config_loglevel: "notice",
    PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
  };
  const runningNpm = process.env.npm_execpath;
  return runningNpm && basename(runningNpm) === "npm-cli.js"
    ? runTool(node, [runningNpm, ...args], { cwd, env, ...options })
    : runTool("npm", args, { cwd, env, ...options });
}
