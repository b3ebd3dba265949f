import { expect, test } from "vitest";
import { mergeStructure } from "./merge-structure";

const toFlow = (agents: readonly string[], flow: string): string =>
  `name: Shared\nagents:\n${agents.map((name) => `  ${name}: { model: "demo:writer" }\n`).join("")}swarm:\n  type: workflow\n  flow: ${flow}\n`;
const base = toFlow(["a", "b", "c"], "a >> b >> c");

test.each<[string, string, string, string]>([
  [
    "both add an agent of one name, and they delete a step",
    toFlow(["a", "b", "c", "agent"], "a >> b >> c >> agent"),
    toFlow(["a", "c", "agent"], "a >> c >> agent"),
    toFlow(["a", "c", "agent", "agent_2"], "a >> c >> agent_2 >> agent"),
  ],
  [
    "both arrange other steps",
    toFlow(["a", "b", "c"], "(a | b) >> c"),
    toFlow(["a", "b", "c", "d"], "a >> b >> c >> d"),
    toFlow(["a", "b", "c", "d"], "(a | b) >> c >> d"),
  ],
  [
    "they rename what a member here is called",
    toFlow(["a", "b", "c", "d"], "a >> b >> c >> d"),
    toFlow(["a", "bee", "c"], "a >> bee >> c"),
    toFlow(["a", "bee", "c", "d"], "a >> bee >> c >> d"),
  ],
])("what two people changed of the structure while apart is one flow: %s", (_, mine, theirs, merged) => {
  expect(mergeStructure(base, mine, theirs)?.replaceAll(/agent_\d\d/g, "agent_2")).toBe(merged);
});

test("is left to the text where only one of them changed the structure, or a text cannot be read", () => {
  const text = base.replace("name: Shared", "name: Other");
  const added = toFlow(["a", "b", "c", "d"], "a >> b >> c >> d");
  for (const [mine, theirs] of [
    [text, added],
    [added, text],
    [added, "agents: ["],
  ] as const)
    expect(mergeStructure(base, mine, theirs)).toBeNull();
});
