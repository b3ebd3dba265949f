import type { Branch } from "@/lib/core/kinds/branch";
import { setControlText } from "./control-edits";
import { writeAgents, writeFlow } from "./fragments";
import { kindStyles } from "./kind-styles";
import type { KindView } from "./kind-view";

export const branchView: KindView<Branch> = {
  ...kindStyles.branch,
  toForm: ({ name, condition, if_true: ifTrue, if_false: ifFalse }) => [
    {
      type: "condition",
      label: "Condition",
      value: condition,
      toEdit: (text) => setControlText(name, ["condition"], text),
    },
    { type: "lane", label: "If true", control: name, lane: "if_true", flow: ifTrue },
    { type: "lane", label: "If false", control: name, lane: "if_false", flow: ifFalse },
    { type: "links" },
  ],
  inserts: [
    {
      id: "branch",
      label: "Branch",
      description: "One of two lanes, chosen by a condition",
      words: "if else control condition",
      toFragment: (model) =>
        `${writeAgents(["if_yes", "if_no"], model)}branches:
  branch: { condition: 'contains(input, "yes")', if_true: if_yes, if_false: if_no }
${writeFlow("branch")}`,
    },
  ],
  createControl: ({ addLane }) => ({
    condition: 'contains(input, "yes")',
    if_true: addLane("if_yes"),
    if_false: addLane("if_no"),
  }),
};
