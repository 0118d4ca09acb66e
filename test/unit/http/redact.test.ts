import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { plainText } from "../../../provider/core/plain-text";
import { fewWords, redactor } from "../../../provider/http/redact";
import { fc } from "../../support/fast-check.ts";

const secret = `p+q/r s<"é${randomUUID()}`;
const json = JSON.stringify(secret).slice(1, -1);

describe("a secret in a server's words", () => {
  it.each([
    ["as it is", secret],
    ["in JSON", json],
    ["in JSON within JSON", JSON.stringify(json).slice(1, -1)],
    ["in JSON of Go", json.replace("<", "\\u003c")],
    ["in JSON of Python", json.replace("é", "\\u00e9")],
    ["in JSON of PHP", json.replace("/", "\\/")],
    ["in a URL", encodeURIComponent(secret)],
    ["in a URL in lower case", encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ["in a form", encodeURIComponent(secret).replaceAll("%20", "+")],
    ["in an address", encodeURI(secret)],
    ["split by characters that nobody sees", [...secret].join("\u200b")],
  ])("%s is masked", (_, shown) => {
    expect(redactor([secret])(`bad request: ${shown}!`)).toBe("bad request: [redacted]!");
  });

  it("is masked when a part of it is echoed, from twelve characters on", () => {
    expect(redactor([secret])(`got ${secret.slice(8, 30)}…`)).toBe("got [redacted]…");
    expect(redactor([secret])(`got ${secret.slice(8, 19)}…`)).toContain(secret.slice(10, 19));
  });

  it("is masked over several lines", () => {
    const pem = `-----BEGIN KEY-----\n${"QUJD".repeat(16)}\n${"REVG".repeat(16)}\n-----END KEY-----\n`;
    for (const shown of [pem, JSON.stringify(pem), pem.replaceAll("\n", "\r\n"), pem.split("\n")[1] ?? ""]) {
      expect(redactor([pem])(`not a key: ${shown}`)).not.toMatch(/QUJD|REVG/);
    }
  });

  it("is masked anywhere when it has six characters, and as a word when it has fewer", () => {
    expect(redactor(["hunter"])("xhunter2")).toBe("x[redacted]2");
    expect(redactor(["role"])('role "role" of some roles')).toBe('[redacted] "[redacted]" of some roles');
    expect(redactor(["a$(", ".*x"])("a$( and .*x and bax")).toBe("[redacted] and [redacted] and bax");
    expect(redactor(["root-key", "a-b"])("a-b, root-key")).toBe("[redacted], [redacted]");
  });

  it("that is empty, unset or a letter masks nothing", () => {
    expect(redactor(["", undefined, "a"])("a role")).toBe("a role");
  });

  it("never stands in what is left of any text around it", () => {
    const text = fc.string({ maxLength: 40 });
    const hidden = fc.string({ minLength: 12, maxLength: 60 }).filter((each) => plainText(each).length >= 12);
    fc.assert(
      fc.property(text, hidden, text, (before, key, after) => {
        const shown = redactor([key])(`${before}${JSON.stringify(key)}${key}${encodeURIComponent(key)}${after}`);
        expect(shown.includes(plainText(key))).toBe(false);
      }),
    );
  });
});

describe("a text from outside", () => {
  it.each([
    ["colours", "\u001b[31mred\u001b[0m", "red"],
    ["a title of the window", "\u001b]0;pwned\u0007a\u001b]8;;http://x\u001b\\b", "ab"],
    ["commands of one byte", "\u009b2Ja\u001bcb", "ab"],
    ["half a command", "a\u001b", "a"],
    ["lines and bells", "a\r\n\t* b\u0007\u0000c\u2028d", "a * b c d"],
    ["directions", "a\u202eb\u2066c\u200fd", "abcd"],
    ["what nobody sees", "a\u200b\ufeff\u00ad\u2060\u2800\u3164\u{e0041}b", "ab"],
    ["half a character", "a\ud800b", "a\ufffdb"],
  ])("loses %s", (_, text, plain) => {
    expect(plainText(text)).toBe(plain);
  });
});

describe("a server's words", () => {
  it("are a few, and none of them is long", () => {
    const words = fewWords(["x".repeat(5000), "b", "", "c", "d", "e", "f"], redactor([]));
    expect(words).toEqual([`${"x".repeat(300)}…`, "b", "c", "d", "and 2 more"]);
  });

  it("are cut after they were searched, so that no half of a secret is left", () => {
    const [words] = fewWords([`${"x".repeat(295)}${secret}`], redactor([secret]));
    expect(words).toBe(`${"x".repeat(295)}[reda…`);
  });

  it("are not repeated at all where they are a book", () => {
    expect(fewWords(["x".repeat(70_000)], redactor([]))).toEqual(["a text of 70000 characters"]);
  });
});
