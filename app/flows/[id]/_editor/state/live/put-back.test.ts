import { describe, expect, it } from "vitest";
import type { Edit } from "@/lib/core/flow/edit";
import { errorsOf } from "@/lib/core/flow/problem";
import type { Session } from "../session";
import { openField, openTogether } from "../testing/open-together";
import { putBack } from "./put-back";

const sources = {
  block: `name: Shared
agents:
  b: { model: "demo:writer" }
  # Writes.
  a:
    model: "demo:writer"
    instructions: |
      Write.
  c: { model: "demo:writer" }
swarm:
  type: workflow
  flow: b >> a >> c
`,
  braces: `agents:
  a: { model: "demo:writer", instructions: "Write." }
  b: { model: "demo:writer" }
swarm: { type: workflow, flow: a >> b }
`,
};
const setInstructions = (value: string): Edit => ({ type: "set-agent-field", name: "a", field: "instructions", value });
const deleteAgents = ({ editor }: Session, ...names: string[]): void =>
  void editor.dispatch([{ type: "delete-nodes", scope: { type: "root" }, names, declarations: true }]);

/** Someone types in agent `a`, which someone else deletes, and does something else besides. */
function loseText(source: string, besides: (session: Session) => void = () => {}) {
  const together = openTogether(source, 2);
  const [author, other] = together.members;
  if (!author || !other) throw new Error("Two members are expected.");
  const field = openField(author.session, setInstructions);
  field.type("XYZ");
  const seen = field.text;
  field.stop();
  deleteAgents(other.session, "a");
  besides(other.session);
  together.settle();
  const [lost] = author.session.live.store.getState().lost;
  if (!lost) throw new Error("A lost text is expected.");
  return { together, author: author.session, lost, seen };
}

function expectSame({ together }: ReturnType<typeof loseText>): string {
  const [text = "", ...others] = together.texts();
  for (const one of others) expect(one).toBe(text);
  return text;
}

describe("an agent that someone else deleted while its author typed", () => {
  it.each(Object.entries(sources))("comes back with its text and its place for all: %s", (_, source) => {
    const lost = loseText(source);
    expect(lost.lost).toMatchObject({ owner: "a", text: lost.seen });
    expect(putBack(lost.author, lost.lost)).toBeNull();
    lost.together.settle();
    expect(expectSame(lost)).toBe(lost.lost.before?.source);
    const { flow, history } = lost.author.editor.store.getState();
    expect(flow.agents.get("a")?.instructions?.trim()).toBe(lost.seen);
    expect(history.canUndo).toBe(true);
  });

  it("keeps what others changed since, and is outside of the flow when its place is gone", () => {
    const lost = loseText(sources.block, (session) => deleteAgents(session, "c"));
    expect(putBack(lost.author, lost.lost)).toBeNull();
    lost.together.settle();
    expect(expectSame(lost)).toContain("flow: b\n");
    const { flow, problems } = lost.author.editor.store.getState();
    expect([...flow.agents.keys()]).toEqual(["b", "a"]);
    expect(errorsOf(problems).map(({ code }) => code)).not.toContain("unknown-name");
  });

  it("stays outside of a flow that was written anew", () => {
    const flow = "(b | c) >> c";
    const lost = loseText(sources.block, ({ editor }) => {
      editor.dispatch([{ type: "set-flow-text", scope: { type: "root" }, text: flow }]);
    });
    expect(putBack(lost.author, lost.lost)).toBeNull();
    lost.together.settle();
    expect(expectSame(lost)).toContain("XYZ");
    expect(lost.author.editor.store.getState().document.broken).toBe(false);
  });

  it("is not put back twice", () => {
    const lost = loseText(sources.block);
    expect(putBack(lost.author, lost.lost)).toBeNull();
    expect(putBack(lost.author, lost.lost)).toBe('"a" is in the flow again.');
  });
});

it("a branch whose condition was half written comes back to its place, with its own ways", () => {
  const source = `agents:
  money: { model: "demo:writer" }
  tech: { model: "demo:writer" }
  z: { model: "demo:writer" }
branches:
  br:
    condition: contains(input, "money")
    if_true: money
    if_false: tech
swarm:
  type: workflow
  flow: br >> z
`;
  const together = openTogether(source, 2);
  const [author, other] = together.members;
  if (!author || !other) throw new Error("Two members are expected.");
  const setCondition = (value: string): Edit => ({ type: "set-control-field", name: "br", path: ["condition"], value });
  openField(author.session, setCondition).type(" or t");
  deleteAgents(other.session, "br");
  together.settle();
  const [lost] = author.session.live.store.getState().lost;
  if (!lost) throw new Error("A lost text is expected.");
  expect(putBack(author.session, lost)).toBeNull();
  together.settle();
  const [text = ""] = together.texts();
  expect(text).toContain("  flow: br >> z\n");
  expect(text).toMatch(/^ {4}condition: .*or t.*\n {4}if_true: money\n {4}if_false: tech$/m);
  expect(text).not.toContain("_2");
});

describe("a group that someone else inlined at the same time", () => {
  const source = `agents:
  money: { model: "demo:writer" }
  tech: { model: "demo:writer" }
  x: { model: "demo:writer" }
  z: { model: "demo:writer" }
groups:
  team:
    type: parallel
    flow: money | tech
swarm:
  type: workflow
  flow: x >> team >> z
`;
  const team = { type: "group", name: "team" } as const;

  function inlineWhile(edit: Edit) {
    const together = openTogether(source, 2);
    const [author, other] = together.members;
    if (!author || !other) throw new Error("Two members are expected.");
    expect(author.session.editor.dispatch([edit])).toBeNull();
    expect(other.session.editor.dispatch([{ type: "inline", scope: { type: "root" }, name: "team" }])).toBeNull();
    together.settle();
    return { together, author: author.session, lost: author.session.live.store.getState().lost };
  }

  it("takes its members back out of the flow, with the one that was added to it", () => {
    const added: Edit = { type: "add-agent", name: "n", model: "demo:writer", scope: team, after: "tech" };
    const { together, author, lost } = inlineWhile(added);
    const [writing] = lost;
    if (!writing) throw new Error("A lost text is expected.");
    expect(putBack(author, writing)).toBeNull();
    together.settle();
    expect(together.texts()[0]).toContain("  flow: x >> team >> z\n");
    expect(together.texts()[0]).toMatch(/^ {4}flow: .*money.*tech.*n$/m);
  });

  it("is not reported to the person who renamed a member: the flow has it", () => {
    const { together, lost } = inlineWhile({ type: "rename", from: "money", to: "cash" });
    expect(lost).toEqual([]);
    expect(together.texts()[0]).toContain("  flow: x >> (cash | tech) >> z\n");
  });
});
