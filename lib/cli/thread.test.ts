import path from "node:path";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { bundleCommandLine } from "./bundle.mjs";

test("the bundle of the commands is the script of threads, too", async () => {
  const bundle = bundleCommandLine(path.join(import.meta.dirname, "../../node_modules/.swarmloom"));
  const thread = new Worker(bundle, { execArgv: [] });
  const receive = () => new Promise((resolve, reject) => thread.once("message", resolve).once("error", reject));
  expect(await receive()).toEqual({ type: "ready" });
  thread.postMessage({ name: "read-answer", input: { schema: { type: "number" }, text: "5" } });
  expect(await receive()).toEqual({ type: "done", result: { ok: true, value: 5 } });
  thread.postMessage({ name: "read-imports", input: { name: "a.py", text: "import b" } });
  expect(await receive()).toEqual({ type: "done", result: [{ specifier: "b", names: [] }] });
  await thread.terminate();
});
