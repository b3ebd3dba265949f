import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Edit } from "@/lib/core/flow/edit";
import { emptyLayout } from "@/lib/core/flow/edit";
import { fromHistoryRecord, toHistoryRecord } from "@/lib/core/history/history-record";
import { getEditing, toDocument } from "../editing/editing";
import { openEditor } from "../testing/open-editor";
import type { Editor } from "./editor";

const template = "name: Untitled flow\nagents:\nswarm:\n  type: workflow\n";
const source = `name: Tour
agents:
  planner:
    model: demo:planner
    instructions: |-
      Plan the work.
      Be brief.
  writer:
    model: demo:writer
    instructions: |-
      Write it up.
    max_steps: 5
swarm:
  type: workflow
  flow: planner >> writer
`;
const refused = "This change cannot be undone any more: others have changed the same text.";

const toEdit = (name: string, value: string): Edit => ({
  type: "set-agent-field",
  name,
  field: "instructions",
  value,
});

function open(text: string) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const notices: string[] = [];
  const editor = openEditor(text, { onNotice: (notice) => void notices.push(notice) });
  editor.open();
  editor.setTogether(true);
  return { editor, notices };
}

const textOf = ({ store }: Editor): string => store.getState().text;

/** Later than the last change, so that it is a step of its own. */
function write(editor: Editor, from: number, to: number, insert: string): void {
  vi.advanceTimersByTime(2000);
  const text = textOf(editor);
  editor.typeText(text.slice(0, from) + insert + text.slice(to), [{ from, to, insert }]);
}

const replaceAll = (editor: Editor, next: string): void => write(editor, 0, textOf(editor).length, next);

/** Someone else writes after a text that the file has. */
function receiveAfter(editor: Editor, part: string, insert: string): void {
  const from = textOf(editor).indexOf(part) + part.length;
  editor.receive([{ from, to: from, insert }], emptyLayout);
}

/** The same flow after the page was loaded again. */
function reload(editor: Editor): Editor {
  const { text, layout, selection, history } = editor.store.getState();
  const record: unknown = JSON.parse(JSON.stringify(toHistoryRecord(history, { text, layout, selection })));
  const restored = fromHistoryRecord(record, { text, layout });
  if (!restored) throw new Error("The history is not restored.");
  const next = openEditor(text);
  next.open();
  next.restore(text, layout, restored);
  next.setTogether(true);
  return next;
}

/** The ways in which a text gets over the template. */
const pastes: [string, (editor: Editor) => void][] = [
  ["in one step", (editor) => replaceAll(editor, source)],
  [
    "after the template was deleted",
    (editor) => {
      replaceAll(editor, "");
      replaceAll(editor, source);
    },
  ],
  [
    "line by line",
    (editor) => {
      const [first = "", ...others] = source.split(/(?<=\n)/);
      replaceAll(editor, first);
      for (const line of others) write(editor, textOf(editor).length, textOf(editor).length, line);
    },
  ],
];

describe("a text that was pasted over the template, in which someone else wrote", () => {
  it.each(pastes)("stays when the user undoes it: pasted %s", (_, paste) => {
    const { editor, notices } = open(template);
    paste(editor);
    receiveAfter(editor, "Be brief.", " BEN");
    vi.advanceTimersByTime(2000);
    editor.dispatch([toEdit("planner", "Plan the work.\nBe brief. ADA BEN")]);
    for (let steps = 0; steps < 30; steps++) {
      editor.undo();
      const { flow, document } = editor.store.getState();
      expect(document.broken).toBe(false);
      expect(flow.agents.get("planner")?.instructions).toMatch(/Be brief\. BEN$/);
      expect(flow.name).not.toContain("BEN");
    }
    expect(notices).toContain(refused);
  });

  it.each(pastes.slice(0, 2))("stays as a whole: pasted %s", (_, paste) => {
    const { editor } = open(template);
    paste(editor);
    receiveAfter(editor, "Be brief.", " BEN");
    const text = textOf(editor);
    for (let steps = 0; steps < 5; steps++) editor.undo();
    expect(textOf(editor)).toBe(text);
    expect(editor.store.getState().history.canUndo).toBe(false);
  });

  it("stays after the page was loaded again, and where no one else is there any more", () => {
    const { editor } = open(template);
    replaceAll(editor, source);
    receiveAfter(editor, "Be brief.", " BEN");
    const [text, next] = [textOf(editor), reload(editor)];
    next.setTogether(false);
    next.undo();
    expect(textOf(next)).toBe(text);
  });
});

describe("a step of a user", () => {
  it("is undone where others wrote in a field that was there before", () => {
    const { editor } = open(source);
    replaceAll(editor, source.replace("Write it up.", "Write it.\n      Twice."));
    receiveAfter(editor, "Be brief.", " BEN");
    editor.undo();
    expect(textOf(editor)).toBe(source.replace("Be brief.", "Be brief. BEN"));
    editor.redo();
    expect(textOf(editor)).toContain("Twice.");
  });

  it("is undone in a field in which others wrote among its letters", () => {
    const { editor } = open(source);
    editor.dispatch([toEdit("writer", "Write it up. And check it.")]);
    receiveAfter(editor, "And", " BEN");
    editor.undo();
    expect(editor.store.getState().flow.agents.get("writer")?.instructions).toBe("Write it up. BEN");
  });

  it("is undone when it is the name of what others wrote in", () => {
    const { editor } = open(source);
    editor.dispatch([{ type: "rename", from: "planner", to: "drafter" }]);
    receiveAfter(editor, "Be brief.", " BEN");
    editor.undo();
    expect(textOf(editor)).toBe(source.replace("Be brief.", "Be brief. BEN"));
  });

  it("is not done again where others wrote in what it would delete", () => {
    const { editor, notices } = open(source);
    replaceAll(editor, template);
    editor.undo();
    receiveAfter(editor, "Be brief.", " BEN");
    editor.redo();
    expect(textOf(editor)).toBe(source.replace("Be brief.", "Be brief. BEN"));
    expect(notices).toEqual([refused.replace("undone", "redone")]);
  });
});

/** The field of each mark that others left. */
function listMarks({ store }: Editor): Map<string, string> {
  const { flow } = store.getState();
  const agents = [...flow.agents.values()].flatMap(({ name, instructions = "", model = "" }): [string, string][] => [
    [`${name} instructions`, instructions],
    [`${name} model`, model],
  ]);
  const fields: [string, string][] = [["name", flow.name], ...agents];
  return new Map(
    fields.flatMap(([field, text]) => Array.from(text.matchAll(/<\d+>/g), ([mark]): [string, string] => [mark, field])),
  );
}

it("property: undo and redo never make the file worse, and no letter of others gets into another field", () => {
  const texts = [
    template,
    source,
    source.replace("  writer:", '  critic: { model: "demo:critic", instructions: "Judge it." }\n  writer:'),
    'agents:\n  planner: { model: "demo:writer", instructions: "Plan." }\nswarm: { type: workflow, flow: planner }\n',
  ];
  const place = fc.nat(200);
  const action = fc.oneof(
    fc.record({ type: fc.constant("paste" as const), text: fc.constantFrom(...texts) }),
    fc.record({ type: fc.constant("type" as const), agent: fc.nat(2), place }),
    { weight: 2, arbitrary: fc.record({ type: fc.constant("other" as const), agent: fc.nat(2), place }) },
    { weight: 4, arbitrary: fc.record({ type: fc.constantFrom("undo" as const, "redo" as const) }) },
    fc.record({ type: fc.constant("reload" as const) }),
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 25 }), (actions) => {
      let { editor } = open(template);
      for (const [index, step] of actions.entries()) {
        vi.advanceTimersByTime(2000);
        const { document, flow, problems } = editor.store.getState();
        if (step.type === "paste") replaceAll(editor, step.text);
        else if (step.type === "reload") editor = reload(editor);
        else if ("agent" in step) {
          const agent = [...flow.agents.values()][step.agent];
          const letters = agent && getEditing().findLetters(toDocument(document), toEdit(agent.name, ""));
          if (!letters) continue;
          const from = letters.from + (step.place % (letters.to - letters.from + 1));
          if (step.type === "other") editor.receive([{ from, to: from, insert: `<${index}>` }], emptyLayout);
          else write(editor, from, from, `own${index}`);
        } else {
          const marks = listMarks(editor);
          if (step.type === "undo") editor.undo();
          else editor.redo();
          const { document: next, problems: nextProblems } = editor.store.getState();
          expect(next.broken && !document.broken).toBe(false);
          expect(next.unreadableRanges.length).toBeLessThanOrEqual(document.unreadableRanges.length);
          const left = listMarks(editor);
          // Redo deletes again what the user had deleted.
          const expected = [...marks].filter(([mark]) => step.type === "undo" || left.has(mark));
          expect([...left]).toEqual(expect.arrayContaining(expected));
          const countErrors = (all: typeof problems): number => all.filter(({ code }) => code === "yaml-syntax").length;
          expect(countErrors(nextProblems)).toBeLessThanOrEqual(countErrors(problems));
        }
      }
    }),
    {
      numRuns: Number(process.env.UNDO_CASES ?? 200),
      ...(process.env.UNDO_SEED && { seed: Number(process.env.UNDO_SEED) }),
    },
  );
});
