import { type Loop, loopLimits } from "@/lib/core/kinds/loop";
import { setControlField, setControlText } from "./control-edits";
import type { FormField } from "./form-field";
import { writeAgents, writeFlow } from "./fragments";
import { kindStyles } from "./kind-styles";
import type { KindView } from "./kind-view";

const repetitions = {
  count: { label: "a number of times", initialValue: 3 },
  while: { label: "while a condition holds", initialValue: 'not contains(input, "done")' },
  for_each: { label: "for each item of a list", initialValue: "json(input)" },
} as const;
type Repetition = keyof typeof repetitions;

const isRepetition = (value: string): value is Repetition => Object.hasOwn(repetitions, value);

const repetitionOf = (loop: Loop): Repetition =>
  loop.while !== undefined ? "while" : loop.for_each !== undefined ? "for_each" : "count";

function toRepetitionField(loop: Loop): FormField {
  const { name, count, while: condition, for_each: list } = loop;
  if (condition !== undefined || list !== undefined)
    return {
      type: "condition",
      label: condition !== undefined ? "While" : "List",
      value: condition ?? list ?? "",
      inLoop: true,
      toEdit: (text) => setControlText(name, [repetitionOf(loop)], text),
    };
  return {
    type: "number",
    label: "Times",
    hint: "An answer that contains [BREAK] ends the loop early.",
    value: count,
    written: loop.written?.count,
    placeholder: "3",
    toEdit: (value) => setControlField(name, ["count"], value),
  };
}

export const loopView: KindView<Loop> = {
  ...kindStyles.loop,
  toForm: (loop) => [
    { type: "lane", label: "Body", control: loop.name, lane: "body", flow: loop.body, hint: "Runs once per round." },
    {
      type: "select",
      label: "Repeats",
      value: repetitionOf(loop),
      options: Object.entries(repetitions).map(([value, { label }]) => ({ value, label })),
      toEdits: (next) =>
        next === repetitionOf(loop) || !isRepetition(next)
          ? []
          : [
              setControlField(loop.name, [repetitionOf(loop)], undefined),
              setControlField(loop.name, [next], repetitions[next].initialValue),
            ],
    },
    toRepetitionField(loop),
    {
      type: "number",
      label: "Limit",
      hint: "Stops after this many rounds.",
      value: loop.limit === loopLimits.usual && !loop.written?.limit ? undefined : loop.limit,
      written: loop.written?.limit,
      placeholder: String(loopLimits.usual),
      toEdit: (value) => setControlField(loop.name, ["limit"], value),
    },
    { type: "links" },
  ],
  inserts: [
    {
      id: "loop",
      label: "Loop",
      description: "Repeats its body",
      words: "repeat while for each control",
      toFragment: (model) => `${writeAgents(["in_loop"], model)}loops:
  loop: { body: in_loop, count: 3 }
${writeFlow("loop")}`,
    },
  ],
  createControl: ({ addLane }) => ({ body: addLane("in_loop"), count: 3 }),
};
