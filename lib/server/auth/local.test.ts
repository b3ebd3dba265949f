import { expect, test } from "vitest";
import { AppError } from "../app-error";
import { isLoopbackHost, requireViewer } from "./local";

const ask = (headers: Record<string, string>) => requireViewer(new Headers(headers));

test.each<Record<string, string>>([
  { host: "127.0.0.1:3000" },
  { host: "localhost:3000" },
  { host: "[::1]:3000" },
  { host: "LOCALHOST:3000", origin: "http://localhost:3000" },
  { host: "localhost:3000", "sec-fetch-site": "same-origin" },
  { host: "localhost:3000", "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
])("the one viewer: %o", (headers) => {
  expect(ask(headers)).toMatchObject({ id: "local" });
});

test.each<[headers: Record<string, string>, message: string]>([
  [{}, "loopback names only"],
  [{ host: "rebound.example:3000" }, "loopback names only"],
  [{ host: "localhost.evil.example" }, "loopback names only"],
  [{ host: "127.0.0.1:3000", origin: "https://evil.example" }, "another site"],
  [{ host: "127.0.0.1:3000", origin: "http://127.0.0.1:4000" }, "another site"],
  [{ host: "127.0.0.1:3000", origin: "null" }, "another site"],
  [{ host: "127.0.0.1:3000", "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" }, "another site"],
])("refused: %o", (headers, message) => {
  expect(() => ask(headers)).toThrow(AppError);
  expect(() => ask(headers)).toThrow(message);
});

test("hosts to listen on", () => {
  expect(["127.0.0.1", "localhost", "[::1]"].every(isLoopbackHost)).toBe(true);
  expect(["0.0.0.0", "192.168.1.2", "::", "example.com"].some(isLoopbackHost)).toBe(false);
});
