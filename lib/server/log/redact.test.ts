import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redact, redactSecrets } from "./redact";

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
