// @ts-check
import { buildGoProgram } from "../steps/build-go-program.mjs";
import { neededGo } from "../steps/find-go.mjs";
import { StepError } from "../steps/step-error.mjs";
import { pinnedVersion } from "./cli-version.mjs";
import { pinnedCli, versionOf } from "./find-pulumi-cli.mjs";

const modules = ["github.com/pulumi/pulumi/pkg/v3", "github.com/pulumi/pulumi/sdk/v3"];

/**
 * Builds the CLI from its Go modules into the versions folder: five minutes on two cores the first time.
 * @param {{ env: NodeJS.ProcessEnv, onLine?: (line: string) => void }} options
 */
export function buildPulumiCli({ env, onLine }) {
  return buildGoProgram({
    output: pinnedCli(env),
    sources: moduleSources(),
    main: `${modules[0]}/cmd/pulumi`,
    linkerFlags: `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${pinnedVersion}`,
    check(binary) {
      const version = versionOf(binary, env);
      if (version !== pinnedVersion)
        throw new StepError(`the built CLI says that it is "${version}", not ${pinnedVersion}`);
    },
    env,
    ...(onLine ? { onLine } : {}),
  });
}

/**
 * `go install …@version` refuses a module whose go.mod holds replace directives, so the CLI becomes a dependency of a module
 * of our own. The modules are named outright: `go get` of the package would ask the proxy for paths that are no modules.
 */
function moduleSources() {
  const requirements = modules.map((path) => `require ${path} v${pinnedVersion}`);
  return {
    "go.mod": ["module pulumi-cli", `go ${neededGo}`, ...requirements, ""].join("\n"),
    "tools.go": ["//go:build tools", "", "package tools", "", `import _ "${modules[0]}/cmd/pulumi"`, ""].join("\n"),
  };
}
