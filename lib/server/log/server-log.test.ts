import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connectSqlite } from "@/prisma/client";
import { logger } from "./logger";
import { toReadableLine } from "./readable-line";
import { RotatingFile } from "./rotating-file";
import { logConsole, openServerLog } from "./server-log";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-log-"));
});
afterEach(() => {
  globalThis.swarmloomLog = undefined;
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

class FakeTerminal {
  text = "";
  constructor(readonly isTTY: boolean) {}
  write(text: string): void {
    this.text += text;
  }
}
function catchError(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}
const readLog = (): string => readFileSync(path.join(folder, "logs/swarmloom.log"), "utf8");
const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);

describe("the server's log", () => {
  it("goes to data/logs and to the terminal, as JSON where that is a pipe", () => {
    const terminal = new FakeTerminal(false);
    openServerLog(folder, terminal);
    logger.warn({ run: "r1" }, "run was interrupted");
    expect(JSON.parse(terminal.text)).toMatchObject({ level: 40, run: "r1", msg: "run was interrupted" });
    expect(readLog()).toBe(terminal.text);
  });

  it("is readable on a terminal, and an error has its stack", () => {
    const terminal = new FakeTerminal(true);
    openServerLog(folder, terminal);
    logger.error({ err: new Error("no such table"), id: 7 }, "request failed");
    const [first, ...stack] = terminal.text.split("\n");
    expect(first).toMatch(/^\d\d:\d\d:\d\d ERROR request failed id=7$/);
    expect(stack[0]).toBe("    Error: no such table");
    expect(stack[1]).toMatch(/^ {4,}at /);
    expect(JSON.parse(readLog())).toMatchObject({ level: 50, err: { type: "Error", message: "no such table" } });
  });

  it("neither moves the cursor of a terminal nor turns its text, whatever is logged", () => {
    const terminal = new FakeTerminal(true);
    openServerLog(folder, terminal);
    logger.error({ err: new Error("a\u001b]0;title\u0007b\rc"), path: "/\u202eevil\nline" }, "bad \u009b31m");
    expect(terminal.text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(terminal.text).toContain("path=/\\u202eevil\\u000aline");
  });

  it("is for its user alone", () => {
    openServerLog(folder, new FakeTerminal(false));
    logger.info("hello");
    expect(modeOf(path.join(folder, "logs"))).toBe("700");
    expect(modeOf(path.join(folder, "logs/swarmloom.log"))).toBe("600");
  });

  it("never holds a key, wherever in an error it is", () => {
    vi.stubEnv("BRAVE_API_KEY", "brave-0123456789");
    vi.stubEnv("ANTHROPIC_API_KEY", "x");
    openServerLog(folder, new FakeTerminal(false));
    const cause = new Error("header: brave-0123456789");
    const error = Object.assign(new Error("Bearer abcdefghijkl refused at https://me:pass@host/", { cause }), {
      headers: { "x-api-key": "brave-0123456789" },
    });
    logger.error({ err: error, url: "https://h/?k=brave-0123456789" }, "maximum of brave-0123456789");
    expect(readLog()).not.toMatch(/brave-0123456789|abcdefghijkl|me:pass/);
    expect(JSON.parse(readLog()).msg).toBe("maximum of [key]");
  });

  it("never holds a prompt that an error of a provider or of the database carries", async () => {
    openServerLog(folder, new FakeTerminal(false));
    const refusal = Object.assign(new Error("400 refused"), {
      request: { messages: ["MY PROMPT"] },
      body: "MY PROMPT",
    });
    logger.error({ err: refusal }, "call failed");
    const db = await connectSqlite(":memory:");
    const failure = await db.flow
      .update({ where: { id: "f" }, data: { name: "MY PROMPT", agents: 1e20 } })
      .catch((error: unknown) => error);
    await db.$disconnect();
    logger.error({ err: failure }, "write failed");
    logger.error({ err: catchError(() => JSON.parse("MY PROMPT is long")) }, "read failed");
    const [call, write, read] = readLog()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect([call.err.message, write.err.message, read.err.message]).toEqual([
      "400 refused",
      expect.stringMatching(/^Unable to fit value/),
      "Unexpected token 'M' in JSON",
    ]);
    expect(readLog()).not.toContain("MY PROMPT");
  });

  it("takes what libraries print as warnings and errors", () => {
    vi.spyOn(console, "error");
    vi.spyOn(console, "warn");
    openServerLog(folder, new FakeTerminal(false));
    logConsole();
    console.error("\u001b[31m⨯\u001b[39m", new Error("page broke"));
    console.warn("careful: %d", 3);
    const [error, warning] = readLog()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(error).toMatchObject({ level: 50, msg: "⨯", err: { message: "page broke" } });
    expect(warning).toMatchObject({ level: 40, msg: "careful: 3" });
  });
});

describe("a rotating file", () => {
  const options = () => ({ folder: path.join(folder, "logs"), name: "a", maxBytes: 100, maxFiles: 3 });

  it("takes no more than its files times their size, the newest lines stay", () => {
    const file = new RotatingFile(options());
    for (let line = 0; line < 100; line++) file.append(`line ${String(line).padStart(4, "0")}\n`);
    const names = readdirSync(options().folder).sort();
    expect(names).toEqual(["a.1.log", "a.2.log", "a.log"]);
    for (const name of names) expect(statSync(path.join(options().folder, name)).size).toBeLessThanOrEqual(100);
    expect(readFileSync(path.join(options().folder, "a.log"), "utf8")).toMatch(/line 0099\n$/);
    expect(readFileSync(path.join(options().folder, "a.1.log"), "utf8")).toMatch(/^line 0080\n/);
  });

  it("goes on after a restart where it was", () => {
    new RotatingFile(options()).append("first\n");
    new RotatingFile(options()).append("second\n");
    expect(readFileSync(path.join(options().folder, "a.log"), "utf8")).toBe("first\nsecond\n");
  });

  it("throws neither for a folder that cannot be made nor for one that vanishes", () => {
    writeFileSync(path.join(folder, "logs"), "a file");
    const blocked = new RotatingFile(options());
    expect(() => blocked.append("lost\n")).not.toThrow();
    rmSync(path.join(folder, "logs"));
    expect(() => blocked.append("lost\n")).not.toThrow();
    mkdirSync(path.join(folder, "logs"));
    blocked.append("kept\n");
    expect(readFileSync(path.join(folder, "logs/a.log"), "utf8")).toBe("kept\n");
  });

  it.runIf(existsSync("/dev/full"))("does not throw when the disk is full", () => {
    const file = new RotatingFile(options());
    symlinkSync("/dev/full", path.join(options().folder, "a.log"));
    expect(() => file.append("lost\n")).not.toThrow();
  });
});

it("a readable line needs no message", () => {
  const line = toReadableLine(
    JSON.stringify({ level: 30, time: 0, msg: "", pid: 1, hostname: "h", name: "swarmloom", a: { b: 1 } }),
  );
  expect(stripVTControlCharacters(line)).toMatch(/^\d\d:\d\d:\d\d INFO {3}a=\{"b":1\}\n$/);
});
