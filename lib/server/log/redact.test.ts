import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redact, redactSecrets, redactTexts, StreamRedactor } from "./redact";
import { hasSecret, secretPattern } from "./secret-forms";

describe("redact", () => {
  it("leaves no secret of 12 or more characters in any text", () => {
    const secret = fc.string({ minLength: 12, maxLength: 40 });
    fc.assert(
      fc.property(fc.string(), secret, fc.string(), (before, key, after) => {
        expect(redact(before + key + after, [key])).not.toContain(key);
      }),
    );
  });

  it.each(["x", "m", "1234", "elevenchars"])("leaves texts as they are when the key is as short as %j", (key) => {
    const text = "This model's maximum context length is 8192 tokens: 1234 elevenchars.";
    expect(redact(text, [key])).toBe(text);
    expect(redactSecrets(text, [key])).toBe(text);
  });

  it("redacts from 12 characters on, the longest first, and each word of a header's value", () => {
    expect(redactSecrets("no twelve-chars here", ["twelve-chars"])).toBe("no [key] here");
    expect(redactSecrets("abcdefghijklmnop", ["abcdefghijkl", "abcdefghijklmnop"])).toBe("[key]");
    expect(redactSecrets("not token-1234567", ["Token token-1234567"])).toBe("not [key]");
  });

  it.each([
    ["Incorrect API key provided: sk-abcd****wxyz.", "wxyz"],
    ["API key AIzaSyA-b_c0123456789 is not valid", "AIza"],
    ["Authorization: Bearer abcdef123456", "abcdef123456"],
    ["http://user:pass@host/v1 refused", "pass"],
  ])("hides what looks like one: %s", (text, hidden) => {
    expect(redact(text, [])).not.toContain(hidden);
  });

  it("leaves other text alone", () => {
    const text = "The model gpt-5 does not exist at https://api.openai.com/v1. Ask risk-management.";
    expect(redact(text, [""])).toBe(text);
  });
});

it("finds a key wherever in a text it is, and nothing else", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "-"), maxLength: 60 });
  const key = fc.string({ unit: fc.constantFrom("a", "b", "-"), minLength: 12, maxLength: 14 });
  fc.assert(
    fc.property(letters, key, letters, fc.boolean(), (before, secret, after, isThere) => {
      const text = isThere ? before + secret + after : before + after;
      expect(hasSecret(text, [secret])).toBe(text.search(secretPattern([secret]) ?? "never") >= 0);
    }),
  );
});

describe("a key that a server repeats", () => {
  const key = "sk-canary+key/0123456789=ABCD";
  const bytes = Buffer.from(key);

  it.each([
    ["escaped for a URL", encodeURIComponent(key)],
    ["escaped in small letters", encodeURIComponent(key).toLowerCase().replace("abcd", "ABCD")],
    ["in base64", bytes.toString("base64")],
    ["in base64 for URLs", bytes.toString("base64url")],
    ["as a password in base64", Buffer.from(`user:${key}`).toString("base64")],
    ["as a password of another in base64", Buffer.from(`an:${key}`).toString("base64")],
    ["in base64 at the third position", Buffer.from(`me:x:${key}:`).toString("base64")],
    ["in hexadecimal digits", bytes.toString("hex")],
  ])("is hidden %s", (_, form) => {
    const clean = redactSecrets(`before ${form} after`, [key]);
    expect(clean).toContain("[key]");
    expect(clean).not.toContain(form.slice(8, -8));
  });

  it("is hidden in pieces of a stream, which lose nothing else", () => {
    const text = fc.array(fc.constantFrom(key, "sk-", "sk-canary", "word ", bytes.toString("base64"), "s"));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (parts, size) => {
        const whole = parts.join("");
        const redactor = new StreamRedactor([key]);
        let shown = "";
        for (let at = 0; at < whole.length; at += size) shown += redactor.add(whole.slice(at, at + size));
        shown += redactor.end();
        expect(shown).toBe(redactSecrets(whole, [key]));
      }),
    );
  });

  it("is hidden in every text of a value, and a value without it stays itself", () => {
    const value = { a: [{ b: `x ${key}` }], c: 1 };
    expect(redactTexts(value, [key])).toEqual({ a: [{ b: "x [key]" }], c: 1 });
    const other = { a: ["b"], c: null };
    expect(redactTexts(other, [key])).toBe(other);
  });
});
