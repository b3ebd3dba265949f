import "server-only";
import { parentPort } from "node:worker_threads";
import { type TaskInput, type TaskName, tasks } from "./tasks";
import type { ThreadMessage } from "./worker-pool";

const send = (message: ThreadMessage<unknown>): void => parentPort?.postMessage(message);

function perform<Name extends TaskName>({ name, input }: { name: Name; input: TaskInput<Name> }): void {
  try {
    send({ type: "done", result: tasks[name](input) });
  } catch (error) {
    const { name: type, message } = error instanceof Error ? error : new Error(String(error));
    send({ type: "failed", error: { name: type, message } });
  }
}

parentPort?.on("message", perform);
send({ type: "ready" });
