import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { forgetLocalData } from "../local-data";
import { dropDraft, keepDraft, maxDraftAgeMs, maxDraftLength, maxDrafts, readDraft } from "./kept-drafts";
import { FakeStorage } from "./testing/fake-storage";

let storage = new FakeStorage();

const signIn = (user: string): void => {
  vi.stubGlobal("document", { documentElement: { dataset: { user } } });
};

beforeEach(() => {
  storage = new FakeStorage();
  vi.stubGlobal("localStorage", storage);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it("keeps a draft until it is dropped", () => {
  keepDraft("comment.f", { body: "Half a sent" });
  expect(readDraft("comment.f")).toEqual({ body: "Half a sent" });
  expect(readDraft("comment.g")).toBeNull();
  dropDraft("comment.f");
  expect(readDraft("comment.f")).toBeNull();
});

it("keeps nothing of a form that shows what it began with", () => {
  const start = { text: "Send it.", reason: "" };
  keepDraft("answer", { text: "Send it now.", reason: "" }, start);
  expect(readDraft("answer", start)).toEqual({ text: "Send it now.", reason: "" });
  keepDraft("answer", start, start);
  expect(Object.keys(storage)).toEqual([]);
});

it("shows no draft of a form that begins with other texts now", () => {
  keepDraft("edit", { body: "Mine" }, { body: "Older" });
  expect(readDraft("edit", { body: "Newer" })).toBeNull();
});

it("keeps drafts of accounts apart, and none after signing out", async () => {
  signIn("ada");
  keepDraft("comment.f", { body: "Of Ada" });
  signIn("ben");
  expect(readDraft("comment.f")).toBeNull();
  keepDraft("comment.f", { body: "Of Ben" });
  signIn("ada");
  await forgetLocalData();
  expect(readDraft("comment.f")).toBeNull();
  expect(JSON.stringify(storage)).not.toContain("Of Ada");
  keepDraft("comment.f", { body: "Of Ada" });
  expect(JSON.stringify(storage)).not.toContain("Of Ada");
  signIn("ben");
  expect(readDraft("comment.f")).toEqual({ body: "Of Ben" });
});

it("keeps the newest drafts, and none for ever", () => {
  vi.useFakeTimers({ now: Date.now() });
  for (let number = 0; number < maxDrafts + 5; number++) {
    vi.advanceTimersByTime(1);
    keepDraft(`comment.${number}`, { body: "x" });
  }
  expect(Object.keys(storage)).toHaveLength(maxDrafts);
  expect(readDraft("comment.4")).toBeNull();
  expect(readDraft("comment.5")).not.toBeNull();
  vi.advanceTimersByTime(maxDraftAgeMs + 1);
  expect(readDraft("comment.9")).toBeNull();
  keepDraft("comment.f", { body: "x" });
  expect(Object.keys(storage)).toHaveLength(1);
});

it("keeps no older version of a draft that has become too long", () => {
  keepDraft("comment.f", { body: "short" });
  keepDraft("comment.f", { body: "x".repeat(maxDraftLength) });
  expect(readDraft("comment.f")).toBeNull();
});

it("makes room where the storage is full, and does without where there is none", () => {
  for (let number = 0; number < 10; number++) keepDraft(`comment.${number}`, { body: "x".repeat(1000) });
  storage.limit(11_500);
  keepDraft("comment.new", { body: "y".repeat(4000) });
  expect(readDraft("comment.new")).toEqual({ body: "y".repeat(4000) });
  storage.limit(0);
  keepDraft("comment.new", { body: "z" });
  expect(readDraft("comment.new")).toBeNull();
});

it("works without storage, and with what is no draft", () => {
  storage.setItem("swarmloom.draft.comment.f", "{broken");
  expect(readDraft("comment.f")).toBeNull();
  vi.stubGlobal("localStorage", undefined);
  keepDraft("comment.f", { body: "x" });
  dropDraft("comment.f");
  expect(readDraft("comment.f")).toBeNull();
});
