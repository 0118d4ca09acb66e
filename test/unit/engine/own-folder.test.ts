import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { ownFolder } from "../../../provider/engine/own-folder";

describe("a folder of the user's own", () => {
  let cache: string;
  const expected = () => join(cache, "trustplane", "compile-cache");
  const found = () => ownFolder("compile-cache", { XDG_CACHE_HOME: cache });

  beforeEach(() => {
    cache = mkdtempSync(join(tmpdir(), "trustplane-cache-"));
    return () => rmSync(cache, { recursive: true, force: true });
  });

  it("is made for the user alone, and used again", () => {
    expect(found()).toBe(expected());
    expect(statSync(expected()).mode & 0o777).toBe(0o700);
    expect(found()).toBe(expected());
  });

  it("is not used where others can write to it", () => {
    mkdirSync(expected(), { recursive: true });
    chmodSync(expected(), 0o777);

    expect(found()).toBeUndefined();
  });

  it("is not used where it is a link, or no folder can be made", () => {
    mkdirSync(join(cache, "trustplane"));
    symlinkSync(tmpdir(), expected());

    expect(found()).toBeUndefined();
    expect(ownFolder("compile-cache", { XDG_CACHE_HOME: "/dev/null" })).toBeUndefined();
  });

  it("lies in the user's home where nothing else is said, or nothing absolute", () => {
    vi.stubEnv("HOME", cache);
    onTestFinished(() => void vi.unstubAllEnvs());
    const atHome = join(cache, ".cache", "trustplane", "compile-cache");

    expect(ownFolder("compile-cache", { XDG_CACHE_HOME: "relative" })).toBe(atHome);
    expect(ownFolder("compile-cache", {})).toBe(atHome);
  });
});
