import { describe, expect, test } from "vitest";
import { EventBus } from "./events/event-bus";
import { runScripted } from "./testing/scripted-run";

const names = Array.from({ length: 3_000 }, (_, nth) => `a${nth}`);
const flow = `(${names.join(" | ")})`;
const script = (text: string) => Object.fromEntries(names.map((name) => [name, [{ text }]]));

describe("a group of 3,000 members", () => {
  test.each([
    ["a short input", "go", 2_100],
    ["a long input", "x".repeat(100_000), 100],
  ])("on %s is never far ahead of the consumer of its events", async (_, input, maxAhead) => {
    const bus = new EventBus();
    let [produced, consumed, ahead] = [0, 0, 0];
    bus.on("node.started", () => produced++);
    const onEvent = ({ type }: { type: string }): void => {
      ahead = Math.max(ahead, produced - consumed);
      if (type === "node.started") consumed++;
    };
    const { last, started } = await runScripted({ flow }, { input, script: script("ok"), options: { bus }, onEvent });
    expect(last.status).toBe("SUCCESS");
    expect(started.flatMap(({ kind, name }) => (kind === "agent" ? [name] : []))).toEqual(names);
    expect(ahead).toBeLessThan(maxAhead);
  });

  test("whose answers are too long together fails with a reason", async () => {
    const { last } = await runScripted({ flow }, { script: script("x".repeat(20_000)) });
    expect(last).toMatchObject({
      status: "FAILED",
      error: { code: "limit", message: expect.stringContaining("at most 50000000 characters") },
    });
    expect(last.output.text.length).toBeLessThan(100);
  });
});
