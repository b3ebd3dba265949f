import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as readViewer from "../accounts/read-viewer";
import { listOperations } from "../api/operations";
import { localViewer, toTeamViewer } from "../auth/viewer";
import * as env from "../env";
import { addressHeader, toClientAddress } from "../net/client-address";
import { RateCounter, RateLimitError, startsRun, takeRunOfAddress } from "./rate-limit";
import { publicRoute, route } from "./route";

vi.mock("../start", () => ({ startServices: async () => undefined }));

const key = toTeamViewer({ id: "key:a", name: "Key" }, { teamId: "t", role: "admin" });
const base = "http://127.0.0.1:3000/api/v1";
const context = { params: Promise.resolve({}) };
const setLimits = (requests: number, runs: number): void => {
  const usual = env.getEnv();
  vi.spyOn(env, "getEnv").mockReturnValue({
    ...usual,
    SWARMLOOM_RATE_LIMIT: requests,
    SWARMLOOM_RATE_LIMIT_RUNS: runs,
  });
};
const headersOf = ({ status, headers }: Response) => [
  status,
  headers.get("ratelimit-limit"),
  headers.get("ratelimit-remaining"),
  headers.get("retry-after"),
];

beforeEach(() => {
  globalThis.swarmloomRates = undefined;
});
afterEach(() => vi.restoreAllMocks());

describe("a counter", () => {
  test("lets a limit through in a minute from the first request on, each client by itself", () => {
    const counter = new RateCounter();
    expect(counter.take("a", 2, 1000)).toEqual({ limit: 2, remaining: 1, resetSeconds: 60 });
    expect(counter.take("a", 2, 31_000)).toEqual({ limit: 2, remaining: 0, resetSeconds: 30 });
    expect(() => counter.take("a", 2, 60_000)).toThrow(RateLimitError);
    expect(() => counter.take("a", 2, 60_000)).toThrow("Try again in 1 s");
    expect(counter.take("b", 2, 60_000).remaining).toBe(1);
    expect(counter.take("a", 2, 61_000).remaining).toBe(1);
  });

  test("forgets clients whose minute is over, and the oldest of too many", () => {
    const counter = new RateCounter();
    for (let client = 0; client < 60_000; client++) counter.take(`${client}`, 1, 0);
    expect(counter.take("0", 1, 1).remaining).toBe(0);
    expect(() => counter.take("59999", 1, 1)).toThrow(RateLimitError);
  });
});

describe("a route", () => {
  const answer = route(() => ({ ok: true }));
  const ask = (path = "/things", method = "GET") => answer(new Request(base + path, { method }), context);
  const beViewer = (viewer = key) => vi.spyOn(readViewer, "requireViewer").mockResolvedValue(viewer);

  test("answers a key with what is left, and then with 429 until its minute is over", async () => {
    beViewer();
    setLimits(2, 60);
    expect(headersOf(await ask())).toEqual([200, "2", "1", null]);
    expect(headersOf(await ask())).toEqual([200, "2", "0", null]);
    const refused = await ask();
    expect(headersOf(refused)).toEqual([429, "2", "0", expect.stringMatching(/^(60|59)$/)]);
    expect(await refused.json()).toMatchObject({ error: { code: "rate_limited" } });
    beViewer({ ...key, id: "key:b" });
    expect((await ask()).status).toBe(200);
  });

  test("starts of runs have a limit of their own", async () => {
    beViewer();
    setLimits(600, 1);
    expect((await ask("/flows/a/runs", "POST")).status).toBe(200);
    expect(headersOf(await ask("/runs/a/again", "POST"))).toEqual([429, "1", "0", expect.any(String)]);
    expect((await ask("/runs/a/cancel", "POST")).status).toBe(200);
    expect((await ask("/runs")).status).toBe(200);
  });

  test("the person of local mode is not limited", async () => {
    beViewer(localViewer);
    setLimits(1, 1);
    for (let count = 0; count < 5; count++) {
      const start = await ask("/flows/a/runs", "POST");
      expect(headersOf(start)).toEqual([200, null, null, null]);
    }
  });

  test("0 sets no limit", async () => {
    beViewer();
    setLimits(0, 0);
    for (let count = 0; count < 5; count++) expect((await ask("/flows/a/runs", "POST")).status).toBe(200);
  });

  test("refused requests and public ones are counted by address, but for those of this machine", async () => {
    setLimits(2, 60);
    const open = publicRoute(() => ({ ok: true }));
    const request = (address: string) => new Request(`${base}/x`, { headers: { [addressHeader]: address } });
    const statusOf = async (handler: typeof open, address: string) => (await handler(request(address), context)).status;
    expect(await statusOf(answer, "203.0.113.9")).toBe(403);
    expect(await statusOf(open, "203.0.113.9")).toBe(200);
    expect(await statusOf(open, "203.0.113.9")).toBe(429);
    expect(await statusOf(answer, "203.0.113.9")).toBe(429);
    expect(await statusOf(open, "203.0.113.10")).toBe(200);
    for (let count = 0; count < 5; count++) expect(await statusOf(open, "127.0.0.1")).toBe(200);
  });
});

test("visitors of one address start five runs a minute, which leaves some for another one", () => {
  setLimits(600, 60);
  const start = (address: string) => () => takeRunOfAddress(new Headers({ [addressHeader]: address }));
  for (let count = 0; count < 5; count++) start("203.0.113.9")();
  expect(start("203.0.113.9")).toThrow(RateLimitError);
  expect(start("203.0.113.10")).not.toThrow();
});

test("what starts runs is limited as such, and nothing else", () => {
  const starting = listOperations()
    .filter(({ operation: { method, path } }) =>
      startsRun({ method, url: `http://x/api/v1${path.replaceAll(/\{\w+\}/g, "a")}` }),
    )
    .map(({ name }) => name);
  expect(starting).toEqual(["startRun", "runAgain", "retryRun", "forkRun", "tryModels", "startOrchestration"]);
});

test("a peer in a private network is a proxy only where it is named as one", () => {
  const trusted = ["10.0.0.0/8", "fd00::/8"];
  expect(toClientAddress("10.0.0.2", "198.51.100.1")).toBe("10.0.0.2");
  expect(toClientAddress("10.0.0.2", "198.51.100.1", trusted)).toBe("198.51.100.1");
  expect(toClientAddress("10.0.0.2", "192.0.2.1, 198.51.100.1, 10.0.0.3", trusted)).toBe("198.51.100.1");
  expect(toClientAddress("192.168.0.2", "198.51.100.1", trusted)).toBe("192.168.0.2");
  expect(toClientAddress("fd00::1", "198.51.100.1", trusted)).toBe("198.51.100.1");
  expect(toClientAddress("10.0.0.2", undefined, trusted)).toBe("10.0.0.2");
});

test.each<[peer: string | undefined, forwarded: string | undefined, address: string]>([
  ["203.0.113.9", undefined, "203.0.113.9"],
  ["203.0.113.9", "198.51.100.1", "203.0.113.9"],
  ["127.0.0.1", undefined, "127.0.0.1"],
  ["::1", undefined, "::1"],
  ["127.0.0.1", "198.51.100.1", "198.51.100.1"],
  ["127.0.0.1", "192.0.2.66, 198.51.100.1", "198.51.100.1"],
  ["::ffff:127.0.0.1", "198.51.100.1", "198.51.100.1"],
  ["::ffff:10.0.0.2", "198.51.100.1", "10.0.0.2"],
  ["::ffff:203.0.113.9", undefined, "203.0.113.9"],
  ["2001:db8:1:203:4:5:6:7", undefined, "2001:db8:1:200::"],
  ["2001:db8:1:2ff:ffff::", undefined, "2001:db8:1:200::"],
  ["127.0.0.1", "198.51.100.1:1234", "198.51.100.1"],
  ["127.0.0.1", "[2001:db8:1:203::4]:1234", "2001:db8:1:200::"],
  ["127.0.0.1", "[2001:db8:1:203::4]", "2001:db8:1:200::"],
  ["127.0.0.1", "2001:db8:1:203::4%eth0", "2001:db8:1:200::"],
  ["127.0.0.1", "_hidden", "unknown"],
  ["127.0.0.1", "198.51.100.1:x", "unknown"],
  [undefined, "198.51.100.1", "unknown"],
])("a request from %s, forwarded for %s, is one of %s", (peer, forwarded, address) => {
  expect(toClientAddress(peer, forwarded)).toBe(address);
});
