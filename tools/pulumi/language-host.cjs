// @ts-check
// The Node.js language host for a Pulumi CLI that was built from Go modules (the real host is not published as one; every
// released CLI brings it, and then this file is not used). It starts a program or a policy pack and reports how it ended.
// What it does not do is answered as unimplemented: installing plugins, packing, generating programs, debugging.
const { spawn } = require("node:child_process");
const { createRequire } = require("node:module");
const path = require("node:path");
// The copies that the SDK's generated stubs use: another copy's messages would be refused as foreign objects.
const sdk = createRequire(require.resolve("@pulumi/pulumi"));
/** @type {typeof import("@grpc/grpc-js")} */
const grpc = sdk("@grpc/grpc-js");
const { Empty } = sdk("google-protobuf/google/protobuf/empty_pb.js");
const language = require("@pulumi/pulumi/proto/language_pb");
const { LanguageRuntimeService } = require("@pulumi/pulumi/proto/language_grpc_pb");
const plugin = require("@pulumi/pulumi/proto/plugin_pb");

const maxMessageBytes = 400 * 1024 * 1024;
/** With this code the program says that it has told the user what went wrong, and that nothing is to be added. */
const alreadyReported = 32;

const engineAddress = process.argv.slice(2).find((argument) => !argument.startsWith("-")) ?? "";
/** @type {Set<import("node:child_process").ChildProcess>} */
const programs = new Set();

/** @typedef {(error: object | null, answer?: unknown) => void} Done */

const calls = {
  getPluginInfo: (/** @type {unknown} */ _, /** @type {Done} */ done) => {
    const info = new plugin.PluginInfo();
    info.setVersion("1.0.0");
    done(null, info);
  },
  getRequiredPackages: (/** @type {unknown} */ _, /** @type {Done} */ done) =>
    done(null, new language.GetRequiredPackagesResponse()),
  getRequiredPlugins: (/** @type {unknown} */ _, /** @type {Done} */ done) =>
    done(null, new language.GetRequiredPluginsResponse()),
  run: (/** @type {{ request: any }} */ { request }, /** @type {Done} */ done) => {
    runProgram(request, (code, signal) => {
      const answer = new language.RunResponse();
      if (code === alreadyReported) answer.setBail(true);
      else if (code !== 0)
        answer.setError(signal ? `the program was ended by ${signal}` : `the program ended with code ${code}`);
      done(null, answer);
    });
  },
  runPlugin,
  cancel: (/** @type {unknown} */ _, /** @type {Done} */ done) => {
    endPrograms();
    done(null, new Empty());
  },
};

/**
 * @param {any} request a `pulumirpc.RunRequest`
 * @param {(code: number | null, signal: string | null) => void} onEnd
 */
function runProgram(request, onEnd) {
  const info = request.getInfo();
  const folder = info.getProgramDirectory();
  const options = info.getOptions()?.toJavaScript() ?? {};
  // The program's own SDK runs it, not the one beside this host.
  const script = createRequire(path.join(folder, "package.json")).resolve("@pulumi/pulumi/cmd/run");
  const flags = {
    monitor: request.getMonitorAddress(),
    engine: engineAddress,
    project: request.getProject(),
    stack: request.getStack(),
    organization: request.getOrganization(),
    pwd: request.getPwd(),
    "root-directory": info.getRootDirectory(),
    parallel: String(request.getParallel()),
  };
  const args = [
    ...wordsOf(options.nodeargs ?? ""),
    script,
    ...Object.entries(flags).flatMap(([name, value]) => (value === "" ? [] : [`--${name}`, value])),
    ...(request.getDryrun() ? ["--dry-run"] : []),
    info.getEntryPoint(),
    ...request.getArgsList(),
  ];
  const program = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...process.env,
      PULUMI_CONFIG: JSON.stringify(Object.fromEntries(request.getConfigMap().entries())),
      PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
      PULUMI_NODEJS_TYPESCRIPT: String(options.typescript ?? true),
      ...(options.tsconfig ? { PULUMI_NODEJS_TSCONFIG_PATH: options.tsconfig } : {}),
    },
  });
  programs.add(program);
  program.on("error", () => onEnd(1, null));
  program.on("exit", (code, signal) => {
    programs.delete(program);
    onEnd(code, signal);
  });
}

/**
 * Runs a policy pack until the engine ends the call. What it prints goes to the engine, the number of its port first.
 * @param {any} call with a `pulumirpc.RunPluginRequest`
 */
function runPlugin(call) {
  const { request } = call;
  if (request.getKind() !== "analyzer") {
    call.destroy(Object.assign(new Error("only policy packs are run"), { code: grpc.status.UNIMPLEMENTED }));
    return;
  }
  const folder = request.getInfo().getProgramDirectory();
  const script = createRequire(path.join(folder, "package.json")).resolve("@pulumi/pulumi/cmd/run-policy-pack");
  const pack = spawn(process.execPath, [script, ...request.getArgsList(), "."], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...Object.fromEntries(request.getEnvList().map(pairOf)) },
  });
  programs.add(pack);
  pack.stdout.on("data", (text) => call.write(new language.RunPluginResponse().setStdout(new Uint8Array(text))));
  pack.stderr.on("data", (text) => call.write(new language.RunPluginResponse().setStderr(new Uint8Array(text))));
  call.on("cancelled", () => pack.kill("SIGTERM"));
  pack.on("close", (code) => {
    programs.delete(pack);
    call.write(new language.RunPluginResponse().setExitcode(code ?? 1));
    call.end();
  });
}

/** @param {string} assignment */
function pairOf(assignment) {
  const [name = "", ...value] = assignment.split("=");
  return [name, value.join("=")];
}

/** The words of `runtime.options.nodeargs` in Pulumi.yaml; quotes keep spaces, as in a shell. @param {string} text */
function wordsOf(text) {
  const words = text.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}

function endPrograms() {
  for (const program of programs) program.kill("SIGTERM");
}

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
  process.on(signal, () => {
    endPrograms();
    process.exit(0);
  });
}

const unimplemented = Object.fromEntries(
  Object.keys(LanguageRuntimeService).map((name) => [
    name,
    (/** @type {unknown} */ _, /** @type {Done} */ done) =>
      done({ code: grpc.status.UNIMPLEMENTED, details: `${name} is not implemented` }),
  ]),
);
const server = new grpc.Server({ "grpc.max_receive_message_length": maxMessageBytes });
server.addService(LanguageRuntimeService, { ...unimplemented, ...calls });
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(`${port}\n`);
});
