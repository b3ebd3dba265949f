import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

let folder = "";
beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(os.tmpdir(), "swarmloom-token-")), "data");
  vi.stubEnv("SWARMLOOM_DATA", folder);
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(path.dirname(folder), { recursive: true });
});

const file = (): string => path.join(folder, "token");
const modeOf = (name: string): number => statSync(name).mode & 0o777;
const load = async () => ({ ...(await import("./token")), ...(await import("../env")) });

test("a made token reaches this process, those it starts, and a file of this user alone", async () => {
  const { prepareToken, getEnv, toStartAddress } = await load();
  const token = prepareToken({ make: true });
  expect(token).toMatchObject({ source: "made", value: expect.stringMatching(/^[\w-]{43}$/) });
  expect(getEnv().SWARMLOOM_TOKEN).toBe(token?.value);
  expect(process.env.SWARMLOOM_TOKEN).toBe(token?.value);
  expect(readFileSync(file(), "utf8")).toBe(`${token?.value}\n`);
  expect([modeOf(folder), modeOf(file())]).toEqual([0o700, 0o600]);
  expect(toStartAddress("http://127.0.0.1:3000", token)).toBe(`http://127.0.0.1:3000/?token=${token?.value}`);
});

test("a token of the environment is used, also where one is to be made, and never printed", async () => {
  vi.stubEnv("SWARMLOOM_TOKEN", "of-the-environment-1");
  const { prepareToken, toStartAddress } = await load();
  const token = prepareToken({ make: true });
  expect(token).toEqual({ source: "environment", value: "of-the-environment-1" });
  expect(readFileSync(file(), "utf8")).toBe("of-the-environment-1\n");
  expect(toStartAddress("http://127.0.0.1:3000", token)).not.toContain("of-the-environment-1");
});

test("without a token the file of an earlier start goes", async () => {
  const { prepareToken, toStartAddress } = await load();
  prepareToken({ make: true });
  vi.stubEnv("SWARMLOOM_TOKEN", "");
  vi.resetModules();
  expect((await load()).prepareToken({ make: false })).toBeNull();
  expect(existsSync(file())).toBe(false);
  expect(toStartAddress("http://127.0.0.1:3000", null)).toBe("http://127.0.0.1:3000");
});

test.each(["short", "with spaces in its middle", "with;semicolons,here", "x".repeat(201)])(
  "a token that cannot travel is refused: %s",
  async (value) => {
    vi.stubEnv("SWARMLOOM_TOKEN", value);
    const { getEnv } = await load();
    expect(() => getEnv()).toThrow("SWARMLOOM_TOKEN cannot be used: expected 16 to 200 letters");
  },
);

test("the cookie holds a value made from the token, for this server's port, out of reach of scripts and other sites", async () => {
  const { toSessionCookie } = await load();
  const token = "a-token-of-enough-characters";
  const cookie = toSessionCookie(new Headers({ host: "localhost:3100" }), token);
  expect(cookie).toMatch(/^swarmloom-session-3100=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  expect(cookie).not.toContain(token);
  expect(toSessionCookie(new Headers({ host: "localhost:3100" }), `${token}2`)).not.toBe(cookie);
});
