import { copyFileSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { profiles } from "../../server/profiles/profiles";
import { startServers } from "../../server/serve";
import { newDataFile } from "./data-harness";
import { runToEnd, startProcess } from "./data-process";

/** A data file with something in it, that nobody uses. */
async function usedFile(): Promise<string> {
  const file = newDataFile();
  await (await startServers({ data: file })).close();
  return file;
}

const inUse = (file: string) =>
  `trustplane: cannot open the data file ${file}: another process uses it; stop that one, or name another file\n`;

describe("a data file that is in use", () => {
  it("is refused to a second process, by any name, until the first is gone, even if killed", async () => {
    const file = newDataFile();
    const first = await startProcess(["--data", file]);
    const link = join(dirname(file), "link.db");
    symlinkSync(file, link);
    for (const name of [file, link]) {
      expect(await runToEnd(["--data", name])).toEqual({ exitCode: 1, out: "", err: inUse(name) });
    }
    const health = await fetch(`${first.secrets.address}/v1/sys/health`);
    expect(health.status).toBe(200);
    await first.kill();
    const second = await startProcess(["--data", file]);
    expect(second.secrets.token).toBe(first.secrets.token);
  });

  it("lets one of many that start at once have it", async () => {
    const file = newDataFile();
    const starts = await Promise.allSettled([1, 2, 3, 4].map(() => startProcess(["--data", file])));
    expect(starts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const failed = starts.flatMap((start) => (start.status === "rejected" ? [start.reason.message] : []));
    expect(new Set(failed)).toEqual(new Set([inUse(file)]));
  });

  it("is refused to a second server of the same process, and not given up for that", async () => {
    const file = newDataFile();
    const server = await startServers({ data: file });
    await expect(startServers({ data: file })).rejects.toThrow("another process uses it");
    expect((await runToEnd(["--data", file])).err).toBe(inUse(file));
    await server.close();
    await (await startServers({ data: file })).close();
  });

  it("is free again when the start fails for another reason", async () => {
    const file = newDataFile();
    const server = await startServers();
    const secrets = Number(new URL(server.secrets.address).port);
    await expect(startServers({ data: file, ports: { secrets } })).rejects.toThrow("the port is in use");
    await server.close();
    await (await startServers({ data: file })).close();
  });
});

function withPragma(file: string, pragma: string): void {
  const database = new DatabaseSync(file);
  database.exec(pragma);
  database.close();
}

const foreign = "it is not a data file of trustplane; name another file, this one is left as it is";

/** Records that are JSON and not what the server keeps. */
const edits = [
  {
    what: "with a mount that is a number",
    sql: "update record set value = '7' where collection = 'secrets/mounts'",
    problem: "a record of secrets/mounts is no such record: ",
  },
  {
    what: "with a mount without settings",
    sql: "update record set value = json_remove(value, '$.config') where collection = 'secrets/mounts'",
    problem: "a record of secrets/mounts is no such record: config: ",
  },
  {
    what: "with a token whose policies are a text",
    sql: "update record set value = json_set(value, '$.policies', 'root') where collection = 'secrets/tokens'",
    problem: "a record of secrets/tokens is no such record: policies: ",
  },
  {
    what: "with an identifier that is null",
    sql: "update record set value = 'null' where collection = 'identifiers'",
    problem: "a record of identifiers is no such record: ",
  },
  {
    what: "with a key that is no text",
    sql: "update record set key = '{}' where collection = 'secrets/identifiers' and rowid = (select min(rowid) from record where collection = 'secrets/identifiers')",
    problem: "a record has a key that is no text",
  },
  {
    what: "with records of a kind that there is not",
    sql: "update record set collection = 'secrets/mount' where collection = 'secrets/mounts'",
    problem: 'there are no records of the kind "secrets/mount"',
  },
];

/** Ways in which a file can be no good: makes one, and answers its name. */
const bad: readonly {
  readonly what: string;
  readonly make: () => string | Promise<string>;
  readonly problem: string;
}[] = [
  {
    what: "text",
    make: () => {
      const file = newDataFile();
      writeFileSync(file, "secrets:\n".repeat(500));
      return file;
    },
    problem: foreign,
  },
  {
    what: "another program's database",
    make: () => {
      const file = newDataFile();
      withPragma(file, "create table theirs (id integer)");
      return file;
    },
    problem: foreign,
  },
  {
    what: "a directory",
    make: () => dirname(newDataFile()),
    problem: "it is not a file, or cannot be written; change that, or name another file",
  },
  {
    what: "in a folder that is not there",
    make: () => join(newDataFile(), "..", "nowhere", "data.db"),
    problem: "its folder does not exist; create the folder first",
  },
  {
    what: "below a file",
    make: () => {
      const file = newDataFile();
      writeFileSync(file, "");
      return join(file, "data.db");
    },
    problem: "its folder is a file; name another file",
  },
  {
    what: "of a newer version",
    make: async () => {
      const file = await usedFile();
      withPragma(file, "pragma user_version = 7");
      return file;
    },
    problem: "a newer trustplane has written it (format 7, this one knows 1); use that version, or name another file",
  },
  {
    what: "cut off",
    make: async () => {
      const file = await usedFile();
      truncateSync(file, 4096);
      return file;
    },
    problem: "it is damaged (database disk image is malformed); restore a copy of it, or name another file",
  },
  {
    what: "damaged in a record",
    make: async () => {
      const file = await usedFile();
      withPragma(file, "update record set value = substr(value, 2) where collection = 'secrets/tokens'");
      return file;
    },
    problem: "it is damaged (",
  },
  ...edits.map(({ what, sql, problem }) => ({
    what,
    make: async () => {
      const file = await usedFile();
      withPragma(file, sql);
      return file;
    },
    problem: `it is damaged (${problem}`,
  })),
];

describe("a data file that is no good", () => {
  it.each(bad)("is refused in one line: $what", async ({ make, problem }) => {
    const file = await make();
    const { exitCode, out, err } = await runToEnd(["--data", file]);
    expect(err).toMatch(/^trustplane: [^\n]*\n$/);
    expect(err).toContain(`cannot open the data file ${file}: ${problem}`);
    expect([exitCode, out]).toEqual([1, ""]);
  });

  it("is one of another profile: it stays what it was made as", async () => {
    const file = newDataFile();
    await (await startServers({ data: file, profile: "openbao" })).close();
    const before = readFileSync(file);
    expect(await runToEnd(["--data", file, "--profile", "vault"])).toEqual({
      exitCode: 1,
      out: "",
      err: `trustplane: cannot open the data file ${file}: its profile is openbao, not vault; start with that one, or name another file\n`,
    });
    expect(readFileSync(file).equals(before)).toBe(true);
    const again = await startServers({ data: file });
    const health = await fetch(`${again.secrets.address}/v1/sys/health`);
    await again.close();
    expect(await health.json()).toMatchObject({ version: profiles.openbao.secrets.version });
  });

  it("is left as it is", async () => {
    const file = newDataFile();
    withPragma(file, "create table theirs (id integer)");
    const before = readFileSync(file);
    await runToEnd(["--data", file]);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it("is not one that is empty, or a copy of one whose server has ended", async () => {
    const [empty, used, copy] = [newDataFile(), await usedFile(), newDataFile()];
    writeFileSync(empty, "");
    copyFileSync(used, copy);
    for (const file of [empty, copy]) await (await startServers({ data: file })).close();
  });
});
