import { describe, expect, it } from "vitest";
import type { Edit } from "@/lib/core/flow/edit";
import { openField, openTogether } from "../../testing/open-together";

const source = `name: Shared
swarm:
  type: workflow
  flow: z
agents:
  z:
    model: demo:writer
    instructions: |-
      Old
`;

const added: Edit = {
  type: "add-agent",
  name: "n",
  model: "demo:writer",
  instructions: "Made",
  scope: { type: "root" },
  atEnd: true,
};
const pasted = '  n: { model: "demo:writer", instructions: "Made" }';

type Editor = ReturnType<typeof openTogether>["members"][number]["session"]["editor"];

const adds: Record<string, (editor: Editor, eol: string) => void> = {
  "in a form": (editor) => void editor.dispatch([added]),
  "in the text": (editor, eol) => {
    const { text } = editor.store.getState();
    const at = text.trimEnd().length;
    const insert = eol + pasted;
    editor.typeText(text.slice(0, at) + insert + text.slice(at), [{ from: at, to: at, insert }]);
  },
};

const forms: [name: string, text: string, eol: string][] = [
  ["lines", source, "\n"],
  ["CRLF", source.replaceAll("\n", "\r\n"), "\r\n"],
  ["no final line end", source.trimEnd(), "\n"],
];

describe.each(Object.entries(adds))("someone adds an agent %s below a text that another types", (_, add) => {
  describe.each(forms)("%s", (_name, text, eol) => {
    it.each([[[101, 102]], [[102, 101]]])("and the letters stay in the text: ids %s", (clients) => {
      const together = openTogether(text, 2, { clients });
      const [ann, bob] = together.members.map(({ session }) => session);
      if (!ann || !bob) throw new Error("Two people are expected.");
      const field = openField(ann, (value) => ({ type: "set-agent-field", name: "z", field: "instructions", value }));
      for (const letter of "WORD") field.type(letter);
      add(bob.editor, eol);
      together.settle();
      const typed = text.replace("Old", "OldWORD");
      const readAgents = () => {
        const { agents } = bob.editor.store.getState().flow;
        return [agents.get("z")?.instructions, agents.get("n")?.instructions];
      };
      expect(readAgents()).toEqual(["OldWORD", "Made"]);
      const [both] = together.texts();
      bob.editor.undo();
      together.settle();
      expect(new Set(together.texts())).toEqual(new Set([typed]));
      bob.editor.redo();
      together.settle();
      expect(new Set(together.texts())).toEqual(new Set([both]));
    });
  });
});

const setOfLast = (field: "max_steps" | "description", value: number | string): Edit =>
  ({ type: "set-agent-field", name: "z", field, value }) as Edit;
const branch: Edit = {
  ...{ type: "add-control", control: "branch", name: "x", fields: { condition: "true", if_true: "z" } },
  ...{ scope: { type: "root" }, atEnd: true },
};
const belongings: [name: string, edit: Edit, text: RegExp][] = [
  ["a number of the last agent", setOfLast("max_steps", 7), /\n {2}z:\n(?: {4}.*\n)+? {4}max_steps: 7\n/],
  ["a text of the last agent", setOfLast("description", "Told"), /\n {2}z:\n(?: {4}.*\n)+? {4}description: "Told"\n/],
];

describe.each(belongings)("someone sets %s", (_name, own, expected) => {
  describe.each([
    ["an agent", added, /\n {2}n:\n {4}model: demo:writer\n {4}instructions: Made\n/],
    ["a branch", branch, /\nbranches:\n {2}x:/],
  ])("while another adds %s", (_other, edit, text) => {
    it.each([[[101, 102]], [[102, 101]]])("and each is where it belongs: ids %s", (clients) => {
      for (const before of [source, source.trimEnd()]) {
        const together = openTogether(before, 2, { clients });
        const [ann, bob] = together.members.map(({ session }) => session);
        ann?.editor.dispatch([own]);
        bob?.editor.dispatch([edit]);
        together.settle();
        const [both = "", ...others] = together.texts();
        expect(others).toEqual([both, both]);
        expect(`${both}\n`).toMatch(expected);
        expect(`${both}\n`).toMatch(text);
      }
    });
  });
});
