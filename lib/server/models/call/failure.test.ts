import { describe, expect, it } from "vitest";
import { classify, readRetryAfter, toThrownFailure } from "./failure";

describe("classify", () => {
  it.each([
    [401, "", "auth"],
    [403, "", "auth"],
    [404, "", "not-found"],
    [408, "", "timeout"],
    [504, "", "timeout"],
    [409, "", "rate-limit"],
    [429, "", "rate-limit"],
    [500, "", "server"],
    [503, "", "server"],
    [400, "", "invalid-request"],
    [418, "", "invalid-request"],
    [0, "overloaded_error", "server"],
    [0, "rate_limit_error", "rate-limit"],
    [0, "authentication_error", "auth"],
    [0, "invalid_request_error", "invalid-request"],
    [0, "", "server"],
  ])("status %i, code %j", (status, code, expected) => {
    expect(classify({ status, message: "no", code })).toBe(expected);
  });

  it.each([
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000, decrease input length and context size",
    "the request exceeds the available context size (4096 tokens)",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
  ])("knows a prompt that is too long: %s", (message) => {
    expect(classify({ status: 400, message })).toBe("context-length");
  });

  it("takes a rate limit that speaks of tokens for a rate limit", () => {
    expect(classify({ status: 429, message: "too many tokens per minute" })).toBe("rate-limit");
  });
});

describe("readRetryAfter", () => {
  const now = Date.UTC(2026, 0, 1, 12);
  it.each([
    ["5", 5000],
    ["0", 0],
    ["1.5", 1500],
    ["Thu, 01 Jan 2026 12:00:30 GMT", 30_000],
    ["Thu, 01 Jan 2026 11:00:00 GMT", 0],
    ["-3", undefined],
    ["soon", undefined],
    ["", undefined],
  ])("%j", (text, expected) => {
    expect(readRetryAfter(new Headers({ "retry-after": text }), now)).toBe(expected);
  });

  it("prefers milliseconds", () => {
    expect(readRetryAfter(new Headers({ "retry-after-ms": "250", "retry-after": "1" }), now)).toBe(250);
    expect(readRetryAfter(new Headers(), now)).toBeUndefined();
  });
});

describe("toThrownFailure", () => {
  const withCode = (code: string) =>
    new TypeError("fetch failed", { cause: Object.assign(new Error(`connect ${code}`), { code }) });
  it.each([
    [withCode("ECONNREFUSED"), "network"],
    [withCode("ENOTFOUND"), "network"],
    [withCode("UND_ERR_CONNECT_TIMEOUT"), "timeout"],
    [withCode("ETIMEDOUT"), "timeout"],
    [new TypeError("terminated"), "network"],
    [new TypeError("undefined is not a function"), "unknown"],
    ["text", "unknown"],
    [null, "unknown"],
  ])("%s", (error, expected) => {
    expect(toThrownFailure(error).class).toBe(expected);
  });
});

describe("nothing was sent", () => {
  const withFacts = (message: string, facts: object) => Object.assign(new Error(message), facts);
  it.each([
    [withFacts("connect ECONNREFUSED 127.0.0.1:8080", { code: "ECONNREFUSED", syscall: "connect" }), true],
    [withFacts("getaddrinfo ENOTFOUND models.example", { code: "ENOTFOUND", syscall: "getaddrinfo" }), true],
    [withFacts("Connect Timeout Error", { code: "UND_ERR_CONNECT_TIMEOUT" }), true],
    [withFacts("certificate has expired", { code: "CERT_HAS_EXPIRED" }), true],
    [withFacts("read ECONNRESET", { code: "ECONNRESET", syscall: "read" }), undefined],
    [withFacts("write EPIPE", { code: "EPIPE", syscall: "write" }), undefined],
    [withFacts("other side closed", { code: "UND_ERR_SOCKET" }), undefined],
  ])("%s: %s", (error, isUnsent) => {
    expect(toThrownFailure(error).isUnsent).toBe(isUnsent);
    expect(toThrownFailure(new TypeError("fetch failed", { cause: error })).isUnsent).toBe(isUnsent);
  });
});
