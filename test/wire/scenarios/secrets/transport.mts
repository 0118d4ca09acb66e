import { defineScenario, refused } from "../../scenario.mts";

/** Paths, verbs, bodies and headers, before any engine sees them. */
export const transport = defineScenario({
  topic: "transport",
  service: "secrets",
  servers: ["vault-1.21", "vault-1.19", "openbao"],
  before: [
    { request: "POST sys/auth/jwt", body: { type: "jwt" } },
    { request: "POST sys/mounts/cloud", body: { type: "aws" } },
  ],
  steps: [
    // @covers jwt: Endpoints > bodies of answers
    // @covers beyond: Endpoints > GET sys/mounts
    { title: "the mounts", request: "GET sys/mounts", outcome: "ok" },
    { title: "the auth methods", request: "GET sys/auth", outcome: "ok" },
    { title: "read where nothing is mounted", request: "GET none/roles/a", outcome: "absent" },
    // @covers jwt: Errors > status codes and bodies
    { title: "read where no auth method is", request: "GET auth/none/role/a", outcome: "absent" },
    {
      title: "write where nothing is mounted",
      request: "POST none/roles/a",
      body: {},
      outcome: refused(/404 no handler for route .*Nothing is mounted there: check the mount path and the namespace/),
    },
    { title: "delete where nothing is mounted", request: "DELETE none/roles/a", outcome: "absent" },
    {
      title: "read a jwt role from a cloud engine",
      request: "GET cloud/role/a",
      outcome: refused(/404 unsupported path .*Something else is mounted there/),
    },
    {
      title: "read a cloud role from an auth method",
      request: "GET auth/jwt/roles/a",
      outcome: refused(/404 unsupported path/),
    },
    {
      title: "write a lease to an auth method",
      request: "POST auth/jwt/config/lease",
      body: {},
      outcome: refused(/404 unsupported path/),
    },
    {
      title: "read a name that no route takes",
      request: "GET auth/jwt/role/a-",
      outcome: refused(/404 unsupported path/),
    },
    {
      title: "read a name with two dots",
      request: "GET auth/jwt/role/a..b",
      outcome: refused(/relative paths not supported/),
    },
    { title: "read with a final slash", request: "GET auth/jwt/role/a/", outcome: refused(/404 unsupported path/) },
    {
      title: "write with a final slash",
      request: "POST auth/jwt/role/a/",
      body: {},
      outcome: refused(/cannot write to a path ending in '\/'/),
    },
    { title: "read outside of the API", request: "GET /other", outcome: "unasked" },
    { title: "read where the doubled slash leads", request: "GET sys/health", outcome: "document" },
    { title: "read a doubled slash", request: "GET sys//health", outcome: "document" },
    { title: "read with an unknown verb", request: "COPY auth/jwt/role/a", outcome: "unasked" },
    { title: "read by HEAD", request: "HEAD auth/jwt/role/a", outcome: "unasked" },
    { title: "ask for the options", request: "OPTIONS auth/jwt/role/a", outcome: "unasked" },
    {
      title: "patch without the media type",
      request: "PATCH auth/jwt/role/a",
      body: {},
      outcome: refused(/415 PATCH requires Content-Type of application\/merge-patch\+json/),
    },
    {
      title: "patch",
      request: "PATCH auth/jwt/role/a",
      body: {},
      headers: { "content-type": "application/merge-patch+json" },
      outcome: refused(/405 unsupported operation/),
    },
    {
      title: "list with a parameter that is no boolean",
      request: "GET auth/jwt/role?list=maybe",
      outcome: refused(/^400 \(GET/),
    },
    { title: "write an array", request: "POST auth/jwt/config", body: [1], outcome: refused(/400 error parsing JSON/) },
    {
      title: "write a text",
      request: "POST auth/jwt/config",
      body: '"text"',
      outcome: refused(/400 error parsing JSON/),
    },
    {
      title: "write a word",
      request: "POST auth/jwt/config",
      body: "word",
      outcome: refused(/400 error parsing JSON/),
    },
    {
      title: "write malformed JSON",
      request: "POST auth/jwt/config",
      body: "{bad",
      outcome: refused(/^500 invalid character|^400 error parsing JSON/),
    },
    {
      title: "write unclosed JSON",
      request: "POST auth/jwt/config",
      body: '{"default_role":"a"',
      outcome: refused(/^500 malformed JSON, unclosed containers|^400 error parsing JSON/),
    },
    {
      title: "write two objects",
      request: "POST auth/jwt/config",
      body: "{}{}",
      outcome: refused(/^500 invalid character|^400 /),
    },
    {
      title: "write a key twice",
      request: "POST auth/jwt/config",
      body: '{"default_role":"a","default_role":"b"}',
      outcome: refused(/^500 duplicate key|^400 exactly one of/),
    },
    { title: "write nothing", request: "POST auth/jwt/config", body: "", outcome: refused(/exactly one of/) },
    { title: "write null", request: "POST auth/jwt/config", body: "null", outcome: refused(/exactly one of/) },
    {
      title: "write a form",
      request: "POST cloud/config/lease",
      body: "lease=1h&lease_max=2h",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      outcome: "ok",
    },
    { title: "read what the form wrote", request: "GET cloud/config/lease", outcome: "ok" },
    { title: "write by PUT", request: "PUT cloud/config/lease", body: { lease: "2h", lease_max: "3h" }, outcome: "ok" },
    {
      title: "read with a namespace",
      request: "GET cloud/config/lease",
      headers: { "x-vault-namespace": "team/a" },
      outcome: "ok",
    },
    { title: "read with a namespace in the path", request: "GET team/a/cloud/config/lease", outcome: "absent" },
    {
      title: "write with a namespace",
      request: "POST cloud/config/lease",
      headers: { "x-vault-namespace": "team/a" },
      body: { lease: "4h", lease_max: "4h" },
      outcome: "ok",
    },
    {
      title: "read as the provider does",
      request: "GET cloud/config/lease",
      headers: { "x-vault-request": "true", "user-agent": "trustplane" },
      outcome: "ok",
    },
    {
      title: "ask for help",
      request: "GET cloud/config/lease?help=1",
      outcome: "document",
    },
    {
      title: "have the answer wrapped",
      request: "GET cloud/config/lease",
      headers: { "x-vault-wrap-ttl": "60s" },
      outcome: "document",
    },
  ],
});
