import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const bin = path.join(import.meta.dirname, "swarmloom.mjs");
let folder = "";
let occupied: Server;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-start-"));
  writeFileSync(path.join(folder, "file"), "");
  occupied = createServer();
  await new Promise<void>((resolve) => occupied.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  occupied.close();
  rmSync(folder, { recursive: true });
});

/** The real command with settings with which it ends before it builds or serves anything. */
async function start(env: Record<string, string>, command = ["start"]) {
  const child = spawn(process.execPath, [bin, ...command], { cwd: folder, env: { ...process.env, ...env } });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { stdout, stderr, code };
}

describe("swarmloom start with settings that cannot be used", () => {
  it.each([
    ["PORT", "99999", /PORT cannot be used: expected a whole number from 0 to 65535, found "99999"\./],
    ["PORT", "80a", /PORT cannot be used: .*found "80a"\./],
    ["SWARMLOOM_CONCURRENCY", "0", /SWARMLOOM_CONCURRENCY cannot be used: .*from 1 to 1000, found "0"\./],
    ["SWARMLOOM_LIMITS", "openai", /SWARMLOOM_LIMITS cannot be used: expected e\.g\. openai=8\/500/],
    ["SWARMLOOM_WORKSPACE", "/no/such/folder", /SWARMLOOM_WORKSPACE cannot be used: expected a folder that exists/],
    ["DATABASE_URL", "mysql://me:hidden-word@h/db", /DATABASE_URL is mysql:…, .*Expected file:<path>, .*postgresql:/],
    ["DATABASE_URL", "postgresql://me:hidden-word@h:port/db", /DATABASE_URL is postgresql:…, which cannot/],
    ["SWARMLOOM_URL", "flows.example.org", /SWARMLOOM_URL cannot be used: expected e\.g\. https:/],
  ])("%s=%s: one sentence, exit code 2", async (name, value, message) => {
    const { stdout, stderr, code } = await start({ [name]: value });
    expect(stderr).toMatch(message);
    expect([stderr.trimEnd().split("\n").length, stdout, code]).toEqual([1, "", 2]);
    expect(stderr).not.toContain("hidden-word");
  });

  it.each(["0.0.0.0", "::"])(
    "mail without an address for its links, on HOST=%s: one sentence, exit code 2",
    async (HOST) => {
      const { stdout, stderr, code } = await start({ HOST, SWARMLOOM_SMTP_URL: "smtp://127.0.0.1:25" });
      expect(stderr).toMatch(
        /SWARMLOOM_SMTP_URL cannot be used: it needs links .*HOST=\S+ is no address .*set SWARMLOOM_URL/,
      );
      expect([stderr.trimEnd().split("\n").length, stdout, code]).toEqual([1, "", 2]);
    },
  );

  it("a data folder that cannot be made: one sentence, exit code 2", async () => {
    const { stderr, code } = await start({ DATABASE_URL: `file:${path.join(folder, "file/a.db")}` });
    expect(stderr).toMatch(/^The folder of the database cannot be made: .+DATABASE_URL can name another\.\n$/);
    expect(code).toBe(2);
  });

  it("a bad variable is a sentence for the other commands, too", async () => {
    const flow = path.join(import.meta.dirname, "../templates/hello.yaml");
    const { stderr, code } = await start({ PORT: "99999" }, ["run", flow, "--input", "hi"]);
    expect([stderr, code]).toEqual([expect.stringMatching(/^error: The environment variable PORT cannot .+\n$/), 2]);
  });

  it("a port in use ends it before anything is built", async () => {
    const address = occupied.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const { stdout, stderr, code } = await start({ PORT: String(port) });
    expect(stderr).toBe(
      `Port ${port} of 127.0.0.1 is in use. Stop what listens there, or choose another: PORT=3001 npm start\n`,
    );
    expect([stdout, code]).toEqual(["", 1]);
  });
});
