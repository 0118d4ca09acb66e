import { defineScenario, refused, step } from "../../scenario.mts";

/** Paths, verbs, bodies and headers, before any engine sees them. */
export const transport = defineScenario({
  topic: "transport",
  before: [
    { request: "POST sys/auth/jwt", body: { type: "jwt" } },
    { request: "POST sys/mounts/cloud", body: { type: "aws" } },
  ],
  steps: [
    // @covers jwt: Endpoints > bodies of answers
    // @covers beyond: Endpoints > GET sys/mounts
    step("the mounts", "GET sys/mounts", "ok"),
    step("the auth methods", "GET sys/auth", "ok"),
    step("read where nothing is mounted", "GET none/roles/a", "absent"),
    // @covers jwt: Errors > status codes and bodies
    step("read where no auth method is", "GET auth/none/role/a", "absent"),
    step(
      "write where nothing is mounted",
      "POST none/roles/a",
      refused(/404 no handler for route .*Nothing is mounted there: check the mount path and the namespace/),
      { body: {} },
    ),
    step("delete where nothing is mounted", "DELETE none/roles/a", "absent"),
    step(
      "read a jwt role from a cloud engine",
      "GET cloud/role/a",
      refused(/404 unsupported path .*check that its path is only that of the mount/),
    ),
    step("read a cloud role from an auth method", "GET auth/jwt/roles/a", refused(/404 unsupported path/)),
    step("write a lease to an auth method", "POST auth/jwt/config/lease", refused(/404 unsupported path/), {
      body: {},
    }),
    step("read a name that no route takes", "GET auth/jwt/role/a-", refused(/404 unsupported path/)),
    step("read a name with two dots", "GET auth/jwt/role/a..b", refused(/relative paths not supported/)),
    step("read with a final slash", "GET auth/jwt/role/a/", refused(/404 unsupported path/)),
    step("write with a final slash", "POST auth/jwt/role/a/", refused(/cannot write to a path ending in '\/'/), {
      body: {},
    }),
    step("read outside of the API", "GET /other", "unasked"),
    step("read where the doubled slash leads", "GET sys/health", "document"),
    step("read a doubled slash", "GET sys//health", "document"),
    step("read with an unknown verb", "COPY auth/jwt/role/a", "unasked"),
    step("read by HEAD", "HEAD auth/jwt/role/a", "unasked"),
    step("ask for the options", "OPTIONS auth/jwt/role/a", "unasked"),
    step(
      "patch without the media type",
      "PATCH auth/jwt/role/a",
      refused(/415 PATCH requires Content-Type of application\/merge-patch\+json/),
      { body: {} },
    ),
    step("patch", "PATCH auth/jwt/role/a", refused(/405 unsupported operation/), {
      body: {},
      headers: { "content-type": "application/merge-patch+json" },
    }),
    step("list with a parameter that is no boolean", "GET auth/jwt/role?list=maybe", refused(/^400 \(GET/)),
    step("write an array", "POST auth/jwt/config", refused(/400 error parsing JSON/), { body: [1] }),
    step("write a text", "POST auth/jwt/config", refused(/400 error parsing JSON/), { body: '"text"' }),
    step("write a word", "POST auth/jwt/config", refused(/400 error parsing JSON/), { body: "word" }),
    step("write malformed JSON", "POST auth/jwt/config", refused(/^500 invalid character|^400 error parsing JSON/), {
      body: "{bad",
    }),
    step(
      "write unclosed JSON",
      "POST auth/jwt/config",
      refused(/^500 malformed JSON, unclosed containers|^400 error parsing JSON/),
      { body: '{"default_role":"a"' },
    ),
    step("write two objects", "POST auth/jwt/config", refused(/^500 invalid character|^400 /), { body: "{}{}" }),
    step("write a key twice", "POST auth/jwt/config", refused(/^500 duplicate key|^400 exactly one of/), {
      body: '{"default_role":"a","default_role":"b"}',
    }),
    step("write nothing", "POST auth/jwt/config", refused(/exactly one of/), { body: "" }),
    step("write null", "POST auth/jwt/config", refused(/exactly one of/), { body: "null" }),
    step("write a form", "POST cloud/config/lease", "ok", {
      body: "lease=1h&lease_max=2h",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    }),
    step("read what the form wrote", "GET cloud/config/lease", "ok"),
    step("write by PUT", "PUT cloud/config/lease", "ok", { body: { lease: "2h", lease_max: "3h" } }),
    step("read with a namespace", "GET cloud/config/lease", "ok", { headers: { "x-vault-namespace": "team/a" } }),
    step("read with a namespace in the path", "GET team/a/cloud/config/lease", "absent"),
    step("write with a namespace", "POST cloud/config/lease", "ok", {
      headers: { "x-vault-namespace": "team/a" },
      body: { lease: "4h", lease_max: "4h" },
    }),
    step("read as the provider does", "GET cloud/config/lease", "ok", {
      headers: { "x-vault-request": "true", "user-agent": "trustplane" },
    }),
    step("ask for help", "GET cloud/config/lease?help=1", "document"),
    step("have the answer wrapped", "GET cloud/config/lease", "document", { headers: { "x-vault-wrap-ttl": "60s" } }),
  ],
});
