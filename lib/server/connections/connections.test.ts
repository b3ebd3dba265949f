import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { localTeamId, localViewer, toTeamViewer } from "../auth/viewer";
import type { Db } from "../db";
import { getDataFolder } from "../env";
import { currentOffer, findModels } from "../offer";
import { startServices } from "../start";
import { loadConnections } from "./active";
import { removeConnection, saveConnection } from "./commands";
import { listConnections } from "./queries";
import { rotateSecret } from "./rotate-secret";
import { open, seal, toSealingSecret } from "./seal";
import { prepareNextSecret, readSecrets } from "./secrets";

const canary = "sk-canary-0123456789-ABCD";
const member = toTeamViewer(localViewer, { teamId: localTeamId, role: "editor" });
const other = toTeamViewer({ id: "o", name: "Olga" }, { teamId: "elsewhere", role: "owner" });
const secretFile = path.join(getDataFolder(), "secret");

let db: Db;
beforeAll(async () => {
  db = await startServices();
});
beforeEach(async () => {
  await db.connection.deleteMany();
  await loadConnections(db);
});
afterEach(() => vi.restoreAllMocks());

const isAvailable = (id: string, teamId = "local"): boolean | undefined =>
  currentOffer(teamId).providers?.find((provider) => provider.id === id)?.available;

const rejection = (action: Promise<unknown>): Promise<string> =>
  action.then(
    () => "",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

describe("a sealed key", () => {
  const secret = toSealingSecret("a secret of many characters");
  const owner = { teamId: "t", provider: "openai" };

  it("opens for its team, provider and secret alone, and only unchanged", () => {
    const sealed = seal(canary, secret, owner);
    expect(open(sealed, secret, owner)).toBe(canary);
    expect(sealed).not.toContain(canary);
    expect(seal(canary, secret, owner)).not.toBe(sealed);
    expect(open(sealed, secret, { ...owner, teamId: "u" })).toBeNull();
    expect(open(sealed, secret, { ...owner, provider: "google" })).toBeNull();
    expect(open(sealed, toSealingSecret("another secret of many"), owner)).toBeNull();
    expect(open(`v2${sealed.slice(2)}`, secret, owner)).toBeNull();
    const bytes = Buffer.from(sealed.split(".")[2] ?? "", "base64url");
    bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0);
    const [version, nonce] = sealed.split(".");
    expect(open([version, nonce, bytes.toString("base64url")].join("."), secret, owner)).toBeNull();
    expect(open("", secret, owner)).toBeNull();
  });
});

describe("the secret", () => {
  it("is made at the first start, for this user alone", () => {
    expect(statSync(secretFile).mode & 0o777).toBe(0o600);
    expect(readFileSync(secretFile, "utf8").trim().length).toBeGreaterThan(40);
  });
});

describe("connections", () => {
  it("hold at once: the offer has the models, and no answer has the key", async () => {
    expect(isAvailable("openai")).toBe(false);
    expect(findModels("local").find("openai:gpt-x")).toBeNull();
    const saved = await saveConnection(localViewer, "openai", { key: `  ${canary}\n` });
    expect(saved).toMatchObject({ source: "entered", lastFour: "ABCD", hasKey: true, enteredBy: "You", problem: null });
    expect(isAvailable("openai")).toBe(true);
    expect(isAvailable("openai", "elsewhere")).toBe(false);
    expect(findModels("local").find("openai:gpt-x")).not.toBeNull();
    expect(JSON.stringify([saved, await listConnections(localViewer), currentOffer("local")])).not.toContain(canary);
    expect(JSON.stringify(await db.connection.findMany())).not.toContain(canary);
    await removeConnection(localViewer, "openai");
    expect(isAvailable("openai")).toBe(false);
  });

  it("keep the model of a run that is under way", async () => {
    await saveConnection(localViewer, "openai", { key: canary });
    const port = findModels("local");
    await removeConnection(localViewer, "openai");
    expect(port.find("openai:gpt-x")).not.toBeNull();
    expect(findModels("local").find("openai:gpt-x")).toBeNull();
  });

  it("are the administrators' of their team", async () => {
    await saveConnection(localViewer, "openai", { key: canary });
    const actions = [
      listConnections(member),
      saveConnection(member, "openai", { key: canary }),
      removeConnection(member, "openai"),
    ];
    for (const reason of await Promise.all(actions.map(rejection)))
      expect(reason).toContain("the role Admin in the team");
    await removeConnection(other, "openai");
    expect((await listConnections(other)).every(({ source }) => source === null)).toBe(true);
    expect(isAvailable("openai")).toBe(true);
  });

  it("send a stored key to no other server", async () => {
    await saveConnection(localViewer, "openai", { key: canary, baseUrl: "http://127.0.0.1:9/v1/" });
    expect((await saveConnection(localViewer, "openai", { baseUrl: "http://127.0.0.1:9/v2" })).lastFour).toBe("ABCD");
    expect(await rejection(saveConnection(localViewer, "openai", { baseUrl: "http://127.0.0.1:8/v2" }))).toContain(
      "Enter it again",
    );
    expect(await rejection(saveConnection(localViewer, "openai", { baseUrl: "" }))).toContain("Enter it again");
  });

  it.each([
    ["openai", "OPENAI_API_KEY=sk-1234567890123456", "only what follows"],
    ["openai", "Bearer sk-1234567890123456", "without `Bearer`"],
    ["openai", '"sk-1234567890123456"', "quotes"],
    ["openai", "sk-12345678 90123456", "no spaces"],
    ["openai", "sk-ant-api03-1234567890", "Anthropic"],
    ["anthropic", "AIzaSy1234567890123456", "Google"],
    ["openai", "sk-1", "longer than 4 characters"],
    ["openai", "ключ-ключ-ключ-ключ", "plain letters"],
    ["openai", "", "enter the key"],
  ])("refuse for %s the key %j", async (provider, key, reason) => {
    const message = await rejection(saveConnection(localViewer, provider, { key }));
    expect(message).toContain(reason);
    if (key !== "") expect(message).not.toContain(key);
  });

  it.each([
    "http://169.254.169.254/latest",
    "http://[::ffff:169.254.169.254]/",
    "http://[fd00:ec2::254]/",
    "http://100.100.100.200/",
    "http://metadata.google.internal/v1",
    "http://168.63.129.16/",
    "ftp://127.0.0.1/",
    "http://user:pass@127.0.0.1/",
    "http://127.0.0.1:3000/v1",
    "http://localhost:3000/v1",
    "models",
  ])("refuse the address %s", async (baseUrl) => {
    expect(await rejection(saveConnection(localViewer, "compatible", { baseUrl }))).toMatch(/^`baseUrl`: /);
  });

  it("accept a server of this machine without a key", async () => {
    const saved = await saveConnection(localViewer, "compatible", { baseUrl: "http://127.0.0.1:11434/v1" });
    expect(saved).toMatchObject({
      source: "entered",
      hasKey: false,
      lastFour: "",
      baseUrl: "http://127.0.0.1:11434/v1",
    });
    expect(findModels("local").find("compatible:llama")).not.toBeNull();
  });
});

describe("a rotation", () => {
  const stored = async () => (await db.connection.findFirstOrThrow()).secretId;

  it("seals everything anew and forgets the old secret", async () => {
    await saveConnection(localViewer, "openai", { key: canary });
    const [id, text] = [await stored(), readFileSync(secretFile, "utf8")];
    expect(await rotateSecret(db)).toEqual({ sealed: 1, unreadable: [] });
    expect(await stored()).not.toBe(id);
    expect(readFileSync(secretFile, "utf8")).not.toBe(text);
    expect(statSync(secretFile).mode & 0o777).toBe(0o600);
    expect(statSync(`${secretFile}.next`, { throwIfNoEntry: false })).toBeUndefined();
    expect(isAvailable("openai")).toBe(true);
  });

  it("can be interrupted before and after its transaction", async () => {
    await saveConnection(localViewer, "openai", { key: canary });
    const next = prepareNextSecret();
    await loadConnections(db);
    expect(isAvailable("openai")).toBe(true);
    const row = await db.connection.findFirstOrThrow();
    await db.connection.update({
      where: { id: row.id },
      data: { sealedKey: seal(canary, next, row), secretId: next.id },
    });
    await loadConnections(db);
    expect(isAvailable("openai")).toBe(true);
    expect(await rotateSecret(db)).toEqual({ sealed: 1, unreadable: [] });
    expect(await stored()).toBe(next.id);
    expect(readSecrets().current.id).toBe(next.id);
    expect(isAvailable("openai")).toBe(true);
  });

  it("leaves a key that nothing opens, which has to be entered again", async () => {
    await saveConnection(localViewer, "openai", { key: canary });
    rmSync(secretFile);
    await loadConnections(db);
    expect(isAvailable("openai")).toBe(false);
    const problem = "Its key cannot be opened any more: enter it again.";
    expect((await listConnections(localViewer))[0]).toMatchObject({ source: "entered", problem });
    expect(currentOffer("local").providers?.find(({ id }) => id === "openai")).toMatchObject({ problem });
    expect(await rotateSecret(db)).toEqual({ sealed: 0, unreadable: ["openai"] });
    expect(await rejection(saveConnection(localViewer, "openai", { baseUrl: "" }))).toContain("enter it again");
    await saveConnection(localViewer, "openai", { key: canary });
    expect(isAvailable("openai")).toBe(true);
  });

  it("tells of a secret file that was damaged, and crashes nothing", async () => {
    await saveConnection(localViewer, "openai", { key: canary });
    const text = readFileSync(secretFile, "utf8");
    writeFileSync(secretFile, "");
    await loadConnections(db);
    expect(isAvailable("openai")).toBe(false);
    expect(await rejection(saveConnection(localViewer, "openai", { key: canary }))).toContain(
      "does not hold the secret",
    );
    writeFileSync(secretFile, text);
    await loadConnections(db);
    expect(isAvailable("openai")).toBe(true);
  });
});
