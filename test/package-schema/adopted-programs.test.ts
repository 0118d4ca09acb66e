import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { adoptable } from "../../cli/commands/adopt/adoptable.ts";
import { programOf } from "../../cli/commands/adopt/program.ts";
import { projectFiles } from "../../cli/commands/adopt/project-files.ts";
import { type FoundRecord, keyOf } from "../../cli/sources/servers/found-record.ts";
import type { Values } from "../../provider/core/definition.ts";
import { typeToken } from "../../provider/core/type-token.ts";
import { definitions } from "../../provider/resources/index.ts";
import { adoptedNames, arbitrarySeeds, expectSame, recordFrom, recordOf } from "../support/adopt-seeds.ts";
import { fc } from "../support/fast-check.ts";
import { goModule } from "../support/go-module.ts";
import { needsGo } from "../support/go-program.ts";
import { installPythonSdk, needsPython, registeringProgram } from "../support/python-sdk.ts";
import { folderOfSuite } from "../support/temporary-folder.ts";

/** What a program registers. */
interface Registered {
  readonly type: string;
  readonly name: string;
  readonly inputs: Values;
}

type Language = "python" | "go";

/** The first time, Go compiles Pulumi's SDK, and pip fetches Python's. */
const firstTimeMs = 600_000;
const secretMark = "4dabf18193072939515e22adb298388d";

const role = (name: string, own: Values) =>
  recordOf(definitions.jwtRole, { mount: "jobs", name, roleType: "jwt", userClaim: "sub", ...own });
/** A mount, and a record that refers to it. */
const mount = recordOf(definitions.sysAuthMount, { path: "linked", type: "jwt" });
const place = { values: { mount: "linked" }, giver: { definition: definitions.sysAuthMount, id: mount.id } };
const policy = (name: string) =>
  recordOf(definitions.sysPolicy, { name, policy: `path "${name}" { capabilities = ["read"] }` });
/** Enough alike records for a loop, with and without differences, and records of every kind with any text in them. */
const made: readonly FoundRecord[] = [
  mount,
  { ...role("e", { mount: "linked" }), place },
  // Of the policies that the roles list, the program has two.
  ...["a", "b", "unlisted"].map(policy),
  ...["a", "b", "c", "d"].map((name) => role(name, { tokenPolicies: [name], boundClaims: { ref: ["x", name] } })),
  ...["one", "two", "three"].map((name) =>
    recordOf(definitions.cloudRole, { mount: "keys", name, credentialType: "session_token" }),
  ),
  ...adoptedNames.flatMap((name) =>
    fc
      .sample(arbitrarySeeds(name), { numRuns: 8, seed: 19 })
      .flat()
      .map((seed) => recordFrom(definitions[name], seed)),
  ),
];

/** No two are the same record of the server. */
const records = [...new Map(made.map((record) => [keyOf(record), record])).values()];

function projectOf(language: Language, fold: boolean) {
  const whole = { records, leftOut: [], unread: [] };
  const found = adoptable(whole, { classes: "plugin", language });
  const program = programOf(found.records);
  const options = { classes: "plugin", language, fold, project: "trust", leftOut: [], unread: [] } as const;
  const configuration = Object.fromEntries(
    program.secrets.map(({ key, shown }) => [`trust:${key}`, shown ? '{"a":"b"}' : "given"]),
  );
  return { found, program, files: projectFiles(program, options), configuration };
}

/** Every record is registered under its name, with what it has. */
function expectRegistered({ found, program }: ReturnType<typeof projectOf>, made: readonly Registered[]): void {
  expect(found.records.length).toBeGreaterThan(100);
  expect(made).toHaveLength(found.records.length);
  const ids = new Map(
    program.files.flatMap(({ resources }) =>
      resources.map(({ definition, name, id }) => [`${typeToken(definition.token)} ${name}`, id] as const),
    ),
  );
  for (const { type, name, inputs } of made) {
    const id = ids.get(`${type} ${name}`);
    const record = found.records.find((each) => each.id === id && typeToken(each.definition.token) === type);
    expect([type, name, record !== undefined]).toEqual([type, name, true]);
    if (record) expectSame(record, shown(inputs));
  }
}

/** The values, also of what is secret: each language has a form of its own for that. */
function shown(inputs: Values): Values {
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, revealed(Object(value)) ?? value]));
}

function revealed(value: {
  readonly [secretMark]?: string;
  readonly value?: unknown;
  readonly Element?: { readonly V: unknown };
}) {
  return value[secretMark] === undefined ? value.Element?.V : value.value;
}

describe.each([true, false])("a program of trustplane adopt, folded: %s", (fold) => {
  const folder = folderOfSuite();

  test("registers in Python what the records are", { ...needsPython(), timeout: firstTimeMs }, async () => {
    const project = projectOf("python", fold);
    const python = await installPythonSdk(folder);
    for (const [path, text] of Object.entries(project.files)) {
      mkdirSync(dirname(join(folder, "python", path)), { recursive: true });
      writeFileSync(join(folder, "python", path), text);
    }
    const main = join(folder, "python/__main__.py");
    expectRegistered(
      project,
      JSON.parse(await python(registeringProgram, main, JSON.stringify(project.configuration))),
    );
  });

  test("registers in Go what the records are, and is as gofmt has it", {
    ...needsGo(),
    timeout: firstTimeMs,
  }, async () => {
    const project = projectOf("go", fold);
    const sources = Object.fromEntries(Object.entries(project.files).filter(([path]) => path.endsWith(".go")));
    const go = goModule(
      join(folder, "go"),
      { ...sources, "program_test.go": registeringTest },
      {
        PULUMI_CONFIG: JSON.stringify(project.configuration),
      },
    );
    expect(await go("vet", ".")).toBe("");
    expect(await go("run", "cmd/gofmt", "-l", ".")).toBe("");
    const printed = await go("test", "-v", ".");
    expectRegistered(project, JSON.parse(/^registered: (.*)$/m.exec(printed)?.[1] ?? ""));
  });
});

const registeringTest = `package main

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type mocks struct {
	sync.Mutex
	seen []map[string]any
}

func (m *mocks) NewResource(args pulumi.MockResourceArgs) (string, resource.PropertyMap, error) {
	m.Lock()
	defer m.Unlock()
	m.seen = append(m.seen, map[string]any{"type": args.TypeToken, "name": args.Name, "inputs": args.Inputs.Mappable()})
	return args.Name, args.Inputs, nil
}

func (m *mocks) Call(args pulumi.MockCallArgs) (resource.PropertyMap, error) { return nil, nil }

func TestProgram(t *testing.T) {
	m := &mocks{}
	if err := pulumi.RunErr(program, pulumi.WithMocks("trust", "dev", m)); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(m.seen)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("\\nregistered: " + string(text))
}
`;
