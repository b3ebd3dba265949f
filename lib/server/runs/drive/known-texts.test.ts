import { expect, test, vi } from "vitest";
import type { RunEvent } from "@/lib/core/run/events/events";
import type { RunWrite } from "@/prisma/run-store";
import * as secretForms from "../../log/secret-forms";
import { rememberSecrets } from "../../log/secrets";
import { RunRecorder } from "./run-recorder";

const key = "sk-canary-0123456789abcdef";
const claim = { runId: "r", owner: "me", epoch: 1, priority: 0 };

function record() {
  const writes: RunWrite[] = [];
  const write = async (one: RunWrite) => writes.push(one) > 0;
  return { writes, recorder: new RunRecorder({ write, close: async () => {} }, claim) };
}

const member = (seq: number, text: string): RunEvent => ({
  ...{ seq, at: 1, type: "node.started", id: seq, path: `a${seq}`, kind: "agent", name: `a${seq}` },
  input: { text },
});

test("a long text that many steps have is searched for keys once, and none of them is stored", async () => {
  rememberSecrets([key]);
  const search = vi.spyOn(secretForms, "hasSecret");
  const replace = vi.spyOn(RegExp.prototype, Symbol.replace);
  const { writes, recorder } = record();
  for (let seq = 1; seq <= 300; seq++) {
    recorder.add(member(seq, `${"ab".repeat(50_000)} ${key}`));
    if (seq % 100 === 0) await recorder.flush();
  }
  const isLong = (text: string): boolean => text.length > 90_000;
  expect(search.mock.calls.filter(([text]) => isLong(text))).toHaveLength(1);
  expect(replace.mock.calls.filter(([text]) => isLong(text))).toHaveLength(1);
  vi.restoreAllMocks();
  expect(JSON.stringify(writes)).not.toContain(key);
  const bodies = writes.flatMap(({ payloads }) => payloads.flatMap(({ body }) => (body === "" ? [] : [body])));
  expect(bodies).toEqual([`${"ab".repeat(50_000)} [key]`]);
});

test("a recorder is full while long texts, or many events, are not written", async () => {
  const { recorder } = record();
  for (let seq = 1; seq <= 400; seq++) recorder.add(member(seq, "short"));
  expect(recorder.isFull).toBe(false);
  for (let seq = 401; seq <= 600; seq++) recorder.add(member(seq, "short"));
  expect(recorder.isFull).toBe(true);
  await recorder.flush();
  expect(recorder.isFull).toBe(false);
  for (let seq = 601; seq <= 630; seq++) recorder.add(member(seq, `${seq}${"x".repeat(100_000)}`));
  expect(recorder.isFull).toBe(true);
  await recorder.flush();
  expect(recorder.isFull).toBe(false);
});
