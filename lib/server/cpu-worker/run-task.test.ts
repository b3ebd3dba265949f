import { expect, test } from "vitest";
import { runTask } from "./run-task";

test("a task runs in another thread, with the sources of this checkout", async () => {
  const options = { client: "a", deadlineMs: 20_000 };
  const imports = await runTask("read-imports", { name: "a.ts", text: 'import "b";' }, options);
  expect(imports).toEqual([{ specifier: "b", names: [] }]);
});
