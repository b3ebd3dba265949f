import { beforeAll, beforeEach, expect, test } from "vitest";
import { localTeamId, toTeamViewer, type Viewer } from "../auth/viewer";
import type { Db } from "../db";
import { createFlow } from "../flows/commands";
import { findModelsWith } from "../offer";
import { runAgain, startRun } from "../runs/commands";
import { pauseRun, resumeRun } from "../runs/pause";
import { OwnExecutors, waitForEnd } from "../runs/testing/own-executors";
import { startServices } from "../start";
import { enteredConnections } from "./active";
import {
  listOwnProviders,
  listPersonalKeys,
  loadPersonalKeys,
  removePersonalKey,
  savePersonalKey,
  withOwnKeys,
} from "./personal-keys";
import { rotateSecret } from "./rotate-secret";

const key = "sk-proj-of-ada-0123456789abcd";
const person = (id: string) => toTeamViewer({ id, name: id }, { teamId: localTeamId, role: "editor" });
const [ada, bob] = [person("ada"), person("bob")];
const source = 'name: Own\nagents:\n  a: { model: "openai:gpt-5" }\nswarm: { flow: a }\n';

let db: Db;
let flow: string;
beforeAll(async () => {
  process.env.SWARMLOOM_URL = "https://looms.example";
  db = await startServices();
  await globalThis.swarmloomServices?.endRuns();
  const now = new Date();
  const account = { emailVerified: true, createdAt: now, updatedAt: now };
  for (const { id, name } of [ada, bob])
    await db.user.create({ data: { id, name, email: `${id}@example.org`, ...account } });
  ({ id: flow } = await createFlow(ada, { source }));
});
beforeEach(async () => {
  await db.run.deleteMany();
  for (const viewer of [ada, bob]) await removePersonalKey(viewer, "openai");
});

const codeOf = (pending: Promise<unknown>): Promise<string> =>
  pending.then(
    () => "accepted",
    (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : String(error)),
  );
const start = (viewer: Viewer, ownKeys: boolean) => startRun(viewer, flow, { input: "go", ownKeys });

test("a key is sealed, shown to no one, and its person's alone", async () => {
  const saved = await savePersonalKey(ada, "openai", { key });
  expect(saved).toEqual({
    provider: "openai",
    label: "OpenAI",
    entered: { lastFour: "abcd", at: expect.any(Number), lastUsedAt: null, problem: null },
  });
  expect(JSON.stringify([await db.personalKey.findMany(), await listPersonalKeys(ada)])).not.toContain(key);
  expect((await listPersonalKeys(bob)).every(({ entered }) => entered === null)).toBe(true);
  expect((await listPersonalKeys(ada)).map(({ provider }) => provider)).toEqual(["openai", "anthropic", "google"]);
  expect([listOwnProviders("ada"), listOwnProviders("bob")]).toEqual([["openai"], []]);
});

test("a key goes to the provider itself, whatever address the team or the server has set", async () => {
  await savePersonalKey(ada, "openai", { key });
  const team = new Map([
    ["openai", { apiKey: "sk-team", baseUrl: "https://proxy.example/v1", reach: "internet" as const }],
  ]);
  const own = withOwnKeys(team, { userId: "ada", providers: ["openai"] });
  expect(own.get("openai")).toMatchObject({ apiKey: key, baseUrl: "", reach: "internet" });
  expect(withOwnKeys(team, { userId: "ada", providers: [] }).get("openai")?.apiKey).toBe("sk-team");
});

test.each([
  ["openai", "short", "bad_request"],
  ["openai", "sk-ant-0123456789abcdef", "bad_request"],
  ["compatible", key, "not_found"],
  ["demo", key, "not_found"],
  ["nobody", key, "not_found"],
])("refuses for %s the key %s", async (provider, wrong, code) => {
  expect(await codeOf(savePersonalKey(ada, provider, { key: wrong }))).toBe(code);
});

test("programs with an API key have none, and can choose no one's", async () => {
  await savePersonalKey(ada, "openai", { key });
  const program: Viewer = { ...ada, scopes: new Set(["runs:write"]) };
  const refused = [listPersonalKeys(program), savePersonalKey(program, "openai", { key })];
  expect(await Promise.all(refused.map(codeOf))).toEqual(["forbidden", "forbidden"]);
});

test("a run without a key of the team begins with the person's own, and only then", async () => {
  expect(await codeOf(start(ada, false))).toBe("bad_request");
  await expect(start(ada, true)).rejects.toThrow("you have no keys of your own");
  await savePersonalKey(ada, "openai", { key });
  expect(await codeOf(start(ada, false))).toBe("bad_request");
  expect(await codeOf(start(bob, true))).toBe("bad_request");
  const { id } = await start(ada, true);
  expect(await db.run.findUniqueOrThrow({ where: { id } })).toMatchObject({ ownKeys: "openai", startedById: "ada" });
});

test("who runs it again uses their own keys, or the team's, and never those of who started it", async () => {
  await savePersonalKey(ada, "openai", { key });
  const { id } = await start(ada, true);
  const again = await runAgain(ada, id);
  expect((await db.run.findUniqueOrThrow({ where: { id: again.id } })).ownKeys).toBe("openai");
  expect(await codeOf(runAgain(bob, id))).toBe("bad_request");
  await savePersonalKey(bob, "openai", { key: "sk-proj-of-bob-0123456789abcd" });
  expect(await codeOf(runAgain(bob, id))).toBe("bad_request");
});

test("the executor asks with the keys of who started the run; without them it does not ask with the team's", async () => {
  await savePersonalKey(ada, "openai", { key });
  const { id } = await start(ada, true);
  const executors = new OwnExecutors(db);
  const seen: unknown[] = [];
  const findTeamWorld = (_: string, own: Parameters<typeof findModelsWith>[1] | null) => {
    seen.push(own);
    return {};
  };
  const { executor } = executors.make(() => ({ text: "Done" }), { findTeamWorld });
  executor.start();
  expect((await waitForEnd(id)).status).toBe("SUCCESS");
  await executors.stop();
  const own = { userId: "ada", providers: ["openai"] };
  expect(seen).toEqual([own]);
  expect(findModelsWith(localTeamId, own).find("openai:gpt-5")).not.toBeNull();
  await removePersonalKey(ada, "openai");
  expect(findModelsWith(localTeamId, own).find("openai:gpt-5")).toBeNull();
  expect(enteredConnections(localTeamId).size).toBe(0);
});

test("keys outlive the process and a rotation of the secret, and end with their person", async () => {
  await savePersonalKey(ada, "openai", { key });
  const before = await db.personalKey.findFirstOrThrow();
  expect((await rotateSecret(db)).sealed).toBe(1);
  expect((await db.personalKey.findFirstOrThrow()).secretId).not.toBe(before.secretId);
  globalThis.swarmloomPersonalKeys = undefined;
  await loadPersonalKeys(db);
  expect(listOwnProviders("ada")).toEqual(["openai"]);
  await db.personalKey.updateMany({ data: { userId: "bob" } });
  await loadPersonalKeys(db);
  expect(listOwnProviders("bob")).toEqual([]);
  expect((await listPersonalKeys(bob))[0]?.entered?.problem).toContain("enter it again");
  await db.user.delete({ where: { id: "bob" } });
  expect(await db.personalKey.count()).toBe(0);
});

test("a run that uses a person's own keys is resumed by that person alone", async () => {
  await savePersonalKey(ada, "openai", { key });
  const own = await start(ada, true);
  await pauseRun(bob, own.id);
  await db.run.update({ where: { id: own.id }, data: { status: "PAUSED" } });
  expect(await codeOf(resumeRun(bob, own.id))).toBe("forbidden");
  expect(await db.run.findUnique({ where: { id: own.id } })).toMatchObject({ status: "PAUSED", pauseRequested: true });
  expect(await codeOf(resumeRun(ada, own.id))).toBe("accepted");
  expect(await db.run.findUnique({ where: { id: own.id } })).toMatchObject({ status: "INIT", pauseRequested: false });
});
