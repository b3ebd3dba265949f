import { expect, test } from "vitest";
import { runScripted } from "./scripted-run";

test("a call that the script does not expect fails with a message", async () => {
  const { last, models } = await runScripted({ flow: "a >> b" }, { script: { a: [{ text: "A" }] } });
  expect(last.error).toMatchObject({
    path: "b#llm-1",
    message: 'The script has no turn for this call of "b": {"role":"user","content":"A"}',
  });
  expect(models.requests.map(({ agent }) => agent)).toEqual(["a", "b"]);
});

test("what is foreseen and never asked for is told", async () => {
  const { models } = await runScripted({ flow: "a" }, { script: { a: [{ text: "A" }, { text: "B" }], z: [{}] } });
  expect(models.unused).toEqual(["a: 1", "z: 1"]);
});

test("streams its pieces at its pace", async () => {
  const { events } = await runScripted(
    { flow: "a" },
    { script: { a: [{ delayMs: 100, text: ["x", "y"], paceMs: 10 }] } },
  );
  const pieces = events.filter((event) => event.type === "text.appended");
  expect(pieces.map((event) => [event.at, event.text])).toEqual([
    [100, "x"],
    [110, "y"],
  ]);
});
