import type { Definition } from "../../provider/core/definition.ts";
import { isRecord } from "../../provider/core/unknowns.ts";
import type { RawApi } from "./contract-raw.ts";

/** What a Vault says of itself: the members that the writes of a resource take. */
export interface VaultFields {
  of(definition: Definition): ReadonlySet<string>;
}

/** Mounts a JWT auth method at `jwt` and a cloud engine at `aws`, and has the server describe them. */
export async function openVaultFields(raw: RawApi): Promise<VaultFields> {
  await raw.call("POST sys/auth/jwt", { type: "jwt" });
  await raw.call("POST sys/mounts/aws", { type: "aws" });
  const description = await raw.call("GET sys/internal/specs/openapi?generic_mount_paths=false");

  /** The members of the schema that stands at these steps; the schema lies elsewhere in the description. */
  const membersAt = (...steps: readonly string[]): readonly string[] => {
    const reference = at(description, [...steps, "content", "application/json", "schema", "$ref"]);
    const schema = at(description, [...String(reference).replace("#/", "").split("/"), "properties"]);
    return isRecord(schema) ? Object.keys(schema) : [];
  };
  return {
    of({ create, update }) {
      const paths = [...new Set([create.path, update.path])].map((path) => `/${withMount(path)}`);
      for (const path of paths) if (!at(description, ["paths", path])) throw new Error(`it does not describe ${path}`);
      const members = paths.flatMap((path) => [
        ...membersAt("paths", path, "post", "requestBody"),
        // Settings of a mount are an object without members where one is made; the answer names them.
        ...(path.endsWith("/tune") ? membersAt("paths", path, "get", "responses", "200") : []),
      ]);
      return new Set(members);
    },
  };
}

function withMount(path: string): string {
  return path.replace("{mount}", path.startsWith("auth/") ? "jwt" : "aws");
}

function at(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value;
  return isRecord(value) ? at(value[step], rest) : undefined;
}
