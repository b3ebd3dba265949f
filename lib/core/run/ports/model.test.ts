import { expect, test } from "vitest";
import { isUnconnected } from "./model";

test.each([
  ["connect ECONNREFUSED 127.0.0.1:8080", true],
  ["connect ETIMEDOUT 10.0.0.1:443", true],
  ["connect EHOSTUNREACH 10.0.0.1:443", true],
  ["getaddrinfo ENOTFOUND models.example", true],
  ["getaddrinfo EAI_AGAIN models.example", true],
  ["Connect Timeout Error (attempted address: 10.0.0.1:443, timeout: 30000ms)", true],
  ["read ECONNRESET", false],
  ["write EPIPE", false],
  ["read EHOSTUNREACH", false],
  ["other side closed", false],
])("a connection that failed with %j was never made: %s", (reason, isUnmade) => {
  const message = `The connection to the provider failed: ${reason}`;
  expect(isUnconnected({ class: "network", message })).toBe(isUnmade);
  expect(isUnconnected({ class: "server", message })).toBe(false);
});
