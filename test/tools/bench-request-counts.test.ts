import { describe, expect, it } from "vitest";
import { countsText, isMet, requestCounts, targetText } from "../../tools/bench/request-counts.mts";

const request = (text: string) => {
  const [method = "", url = ""] = text.split(" ");
  const [path = "", query = ""] = url.split("?");
  return { service: "secrets", method, path, query };
};
const none = { version: 0, write: 0, read: 0, list: 0, delete: 0 };

describe("counting requests", () => {
  it.each([
    { text: "GET /v1/sys/health?standbyok=true", kind: "version" },
    { text: "GET /v1/connect/ca/roots", kind: "version" },
    { text: "POST /v1/auth/jwt/role/ci", kind: "write" },
    { text: "PATCH /api/v2/policy-sets/p/parameters/var-1", kind: "write" },
    { text: "GET /v1/auth/jwt/role/ci", kind: "read" },
    { text: "GET /v1/auth/jwt/role?list=true", kind: "list" },
    { text: "LIST /v1/auth/jwt/role", kind: "list" },
    { text: "GET /v1/peerings?partition=p", kind: "list" },
    { text: "GET /api/v2/policy-sets/p/parameters?page%5Bnumber%5D=2", kind: "list" },
    { text: "GET /v1/peering/parameters-of-others", kind: "read" },
    { text: "DELETE /v1/peering/east", kind: "delete" },
  ])("$text is a $kind", ({ text, kind }) => {
    expect(requestCounts([request(text)])).toEqual({ ...none, [kind]: 1 });
  });

  it("writes targets and counts down", () => {
    expect(targetText({ write: 2, read: { atMost: 1 } })).toBe("2 writes, at most 1 read");
    expect(targetText({ delete: 1, read: { atMost: Number.POSITIVE_INFINITY } })).toBe("1 delete, any reads");
    expect(targetText({})).toBe("none");
    expect(countsText({ ...none, version: 1, list: 3 })).toBe("1 version, 3 lists");
  });

  it.each([
    { target: {}, counts: { version: 1 }, isExpected: true, why: "the version may be asked for once" },
    { target: {}, counts: { version: 2 }, isExpected: false, why: "but not twice" },
    { target: {}, counts: { read: 1 }, isExpected: false, why: "what is not named must not happen" },
    { target: { write: 2 }, counts: { write: 1 }, isExpected: false, why: "a write that is missing is no success" },
    { target: { read: { atMost: 2 } }, counts: { read: 0 }, isExpected: true, why: "fewer than allowed are fine" },
    { target: { read: { atMost: 2 } }, counts: { read: 3 }, isExpected: false, why: "more are not" },
  ])("$why", ({ target, counts, isExpected }) => {
    expect(isMet(target, { ...none, ...counts })).toBe(isExpected);
  });
});
