import { afterEach, expect, it, vi } from "vitest";
import type { Edit } from "@/lib/core/flow/edit";
import { openTogether } from "../testing/open-together";

const mocked = vi.hoisted(() => ({ settleStructure: vi.fn() }));
vi.mock("@/lib/core/settle/settle-structure", async (importOriginal) => {
  const original = await importOriginal<typeof import("@/lib/core/settle/settle-structure")>();
  mocked.settleStructure.mockImplementation(original.settleStructure);
  return { ...original, ...mocked };
});

afterEach(() => vi.unstubAllGlobals());

const source = `name: Shared
agents:
  a: { model: "demo:writer" }
swarm:
  type: workflow
  flow: a
`;
const add = (name: string): Edit => ({
  type: "add-agent",
  name,
  model: "demo:writer",
  scope: { type: "root" },
  atEnd: true,
});

it.each<[string, isOffline: boolean]>([
  ["at the same time", false],
  ["while they have no connection", true],
])("keeps what someone else wrote %s when settling fails, and reports the error", (_, isOffline) => {
  const reported = vi.fn();
  vi.stubGlobal("reportError", reported);
  const together = openTogether(source, 2);
  const [author, other] = together.members;
  if (!author || !other) throw new Error("Two members are expected.");
  if (isOffline) together.lose(other);
  author.session.editor.dispatch([add("x")]);
  const error = new Error("A note that no one expects");
  mocked.settleStructure.mockImplementationOnce(() => {
    throw error;
  });
  together.connect(other);
  together.settle();
  expect(reported.mock.calls).toEqual([[error]]);
  expect(other.session.editor.store.getState().text).toContain("  x:");
  other.session.editor.dispatch([{ type: "set-agent-field", name: "a", field: "max_steps", value: 7 }]);
  together.settle();
  for (const text of together.texts()) {
    expect(text).toContain("  x:");
    expect(text).toContain("max_steps: 7");
  }
});
