import fc from "fast-check";
import { expect, it } from "vitest";
import type { Edit } from "@/lib/core/flow/edit";
import type { Session } from "../session";
import { openField, openTogether, seededRandom } from "../testing/open-together";

const styles = {
  block: '\n    model: "demo:writer"\n    instructions: |\n      Begin\n',
  "without the last line break": '\n    model: "demo:writer"\n    instructions: |-\n      Begin\n      here\n',
  "with all line breaks": '\n    model: "demo:writer"\n    instructions: |+\n      Begin\n\n',
  "before another field": '\n    instructions: |\n      Begin\n    model: "demo:writer"\n',
  folded: '\n    model: "demo:writer"\n    instructions: >\n      Begin\n      here\n',
  plain: '\n    model: "demo:writer"\n    instructions: Begin\n',
  missing: '\n    model: "demo:writer"\n',
};
const others = ['  b: { model: "demo:writer" }\n', '  c: { model: "demo:writer" }\n'];

/** The flow with agent `a` as the first, second or last one. */
const flowOf = (agent: string, place: number): string =>
  `name: Shared\nagents:\n${others.toSpliced(place, 0, `  a:${agent}`).join("")}swarm: { flow: ${["b", "c"].toSpliced(place, 0, "a").join(" >> ")} }\n`;

const setInstructions = (value: string): Edit => ({ type: "set-agent-field", name: "a", field: "instructions", value });

const deleteByEdit = ({ editor }: Session): void =>
  void editor.dispatch([{ type: "delete-nodes", scope: { type: "root" }, names: ["a"], declarations: true }]);

function deleteInText({ editor }: Session): void {
  const { text } = editor.store.getState();
  const start = text.indexOf("  a:");
  const length = text.slice(start + 1).search(/\n {2}\w|\n\w/) + 2;
  editor.typeText(text.slice(0, start) + text.slice(start + length));
}

it("takes out what is left of a text whose letters look like entries of the file", () => {
  const together = openTogether(flowOf(styles.plain, 0), 2);
  const [author, other] = together.members;
  if (!author || !other) throw new Error("Two members are expected.");
  const field = openField(author.session, setInstructions);
  field.type("\n");
  field.moveTo(5);
  for (const letter of "XX:\n:") field.type(letter);
  deleteInText(other.session);
  together.settle();
  for (const text of together.texts())
    expect(text).toBe(`name: Shared\nagents:\n${others.join("")}swarm: { flow: a >> b >> c }\n`);
});

it("property: an agent that is deleted while someone types at the end of its instructions leaves a readable file", () => {
  fc.assert(
    fc.property(
      fc.record({
        seed: fc.nat(),
        style: fc.constantFrom(...Object.values(styles)),
        place: fc.nat(2),
        remove: fc.constantFrom(deleteByEdit, deleteInText),
        delivered: fc.constantFrom(0.1, 0.4, 0.7),
        deletedAt: fc.nat(25),
      }),
      ({ seed, style, place, remove, delivered, deletedAt }) => {
        const random = seededRandom(seed);
        const together = openTogether(flowOf(style, place), 2);
        const [author, other] = together.members;
        if (!author || !other) throw new Error("Two members are expected.");
        const { editor } = author.session;
        const field = openField(author.session, setInstructions);
        for (let step = 0; step <= 30; step++) {
          for (const member of together.members)
            for (const direction of ["toServer", "fromServer"] as const)
              if (random() < delivered) together.deliver(member, direction);
          if (editor.store.getState().flow.agents.has("a")) field.type([..."XXX \n:"][Math.floor(random() * 6)] ?? "X");
          if (step === deletedAt) remove(other.session);
        }
        together.settle();
        const [text = "", ...texts] = together.texts();
        for (const one of texts) expect(one).toBe(text);
        const { document } = editor.store.getState();
        expect([document.broken, document.unreadableRanges]).toEqual([false, []]);
        expect([...document.flow.agents.keys()]).toEqual(["b", "c"]);
        expect(text).not.toMatch(/X|\n\s*\n/);
      },
    ),
    { numRuns: 40 },
  );
}, 60_000);
