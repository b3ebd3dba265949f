import { afterEach, expect, test, vi } from "vitest";
import { AppError } from "../app-error";
import * as env from "../env";
import { requireLocalViewer } from "./local";
import { isEveryAddress, isLoopbackHost } from "./loopback";
import { toSessionCookie } from "./token";

const ask = (headers: Record<string, string>) => requireLocalViewer(new Headers(headers));
const token = "a-token-of-enough-characters";
const demandToken = (): void => {
  const usual = env.getEnv();
  vi.spyOn(env, "getEnv").mockReturnValue({ ...usual, SWARMLOOM_TOKEN: token });
};
afterEach(() => vi.restoreAllMocks());

test.each<Record<string, string>>([
  { host: "127.0.0.1:3000" },
  { host: "localhost:3000" },
  { host: "[::1]:3000" },
  { host: "LOCALHOST:3000", origin: "http://localhost:3000" },
  { host: "localhost:3000", "sec-fetch-site": "same-origin" },
  { host: "localhost:3000", "sec-fetch-site": "none", "sec-fetch-mode": "navigate" },
  { host: "localhost:3000", "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
  { host: "localhost:3000", "sec-fetch-site": "same-site", "sec-fetch-mode": "navigate" },
  // As Next fills them in from the socket.
  {
    host: "localhost:3000",
    "x-forwarded-for": "127.0.0.1",
    "x-forwarded-host": "localhost:3000",
    "x-forwarded-port": "3000",
    "x-forwarded-proto": "http",
  },
  { host: "localhost:3000", "x-forwarded-for": "::ffff:127.0.0.1" },
  { host: "localhost:3000", "x-forwarded-for": "::1, 127.0.0.1:4711, [::1]:80" },
  { host: "localhost:3000", forwarded: 'for="[::1]:80";host=localhost:3000;proto=http, for=127.0.0.1' },
  { host: "localhost:3000", via: "1.1 localhost:8080 (a proxy of this machine)" },
  { host: "localhost:3000", "x-real-ip": "127.0.0.1" },
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
  [{ host: "127.0.0.1:3000", "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" }, "another site"],
  [{ host: "127.0.0.1:3000", "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors" }, "another site"],
])("refused: %o", (headers, message) => {
  expect(() => ask(headers)).toThrow(AppError);
  expect(() => ask(headers)).toThrow(message);
});

test.each<[name: string, value: string]>([
  ["x-forwarded-for", "203.0.113.9"],
  ["x-forwarded-for", "203.0.113.9, 127.0.0.1"],
  ["x-forwarded-for", "127.0.0.1, 10.0.0.7"],
  ["x-forwarded-for", "::ffff:203.0.113.9"],
  ["x-forwarded-for", "unknown"],
  ["x-real-ip", "192.168.1.20"],
  ["x-client-ip", "203.0.113.9"],
  ["true-client-ip", "203.0.113.9"],
  ["cf-connecting-ip", "2001:db8::1"],
  ["x-forwarded-host", "swarms.example"],
  ["x-forwarded-host", "localhost:3000, swarms.example"],
  ["x-forwarded-server", "proxy.example"],
  ["forwarded", "for=203.0.113.9"],
  ["forwarded", 'for=127.0.0.1, for="[2001:db8::1]:80"'],
  ["forwarded", "for=127.0.0.1;host=swarms.example"],
  ["forwarded", "for=_hidden"],
  ["forwarded", "by=203.0.113.43"],
  ["forwarded", "nonsense"],
  ["via", "1.1 proxy.example"],
  ["via", "1.1 localhost, 2 edge"],
])("a forwarded request with a loopback Host is refused: %s: %s", (name, value) => {
  expect(() => ask({ host: "127.0.0.1:3000", [name]: value })).toThrow(AppError);
  expect(() => ask({ host: "127.0.0.1:3000", [name]: value })).toThrow(`forwarded from elsewhere (${name}: ${value})`);
});

test("without a token in the environment none is demanded", () => {
  expect(ask({ host: "localhost", authorization: "Bearer whatever" })).toMatchObject({ id: "local" });
});

test("where a token is set, it is demanded: as Bearer, or by the cookie made from it", () => {
  demandToken();
  const host = "127.0.0.1:3000";
  const [cookie = ""] = toSessionCookie(new Headers({ host }), token).split(";");
  expect(ask({ host, authorization: `Bearer ${token}` })).toMatchObject({ id: "local" });
  expect(ask({ host, cookie: `a=b; ${cookie}; c=d` })).toMatchObject({ id: "local" });
  const wrong: Record<string, string>[] = [
    {},
    { authorization: token },
    { authorization: "Bearer" },
    { authorization: `Bearer ${token}x` },
    { authorization: `Basic ${token}` },
    { authorization: "Bearer wrong", cookie },
    { cookie: cookie.slice(0, -1) },
    { cookie: `${cookie.split("=")[0]}=${token}` },
    { cookie: cookie.replace("3000", "4000") },
  ];
  for (const headers of wrong)
    expect(() => ask({ host, ...headers }), JSON.stringify(headers)).toThrow(
      expect.objectContaining({ code: "unauthorized" }),
    );
  expect(() => ask({ host: "evil.example", authorization: `Bearer ${token}` })).toThrow("loopback names only");
});

test("hosts to listen on", () => {
  expect(["127.0.0.1", "localhost", "[::1]"].every(isLoopbackHost)).toBe(true);
  expect(["0.0.0.0", "192.168.1.2", "::", "example.com"].some(isLoopbackHost)).toBe(false);
  const everyAddress = ["0.0.0.0", "0", "::", "[::]", "0:0:0:0:0:0:0:0", "::ffff:0.0.0.0"];
  expect(everyAddress.filter(isEveryAddress)).toEqual(everyAddress);
  expect(["127.0.0.1", "10.0.0.0", "::1", "example.com", "localhost"].some(isEveryAddress)).toBe(false);
});
