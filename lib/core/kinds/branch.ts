import type { Expression } from "../flow/expression";
import type { NodeDeclaration } from "../flow/flow";
import { defineControl } from "./define-kind";
import { searchFieldsOf } from "./search-field";

declare module "../flow/flow" {
  interface DeclarationTypes {
    branch: Branch;
  }
}

/** One of two lanes, by a condition (lib/core/condition). A missing lane passes the text through. */
export interface Branch extends NodeDeclaration {
  type: "branch";
  name: string;
  condition: string;
  if_true?: Expression;
  if_false?: Expression;
}

export const branchKind = defineControl<Branch>({
  type: "branch",
  section: "branches",
  fieldTypes: { condition: "condition", if_true: "topology", if_false: "topology" },
  create: (name) => ({ type: "branch", name, condition: "" }),
  read(reader) {
    const { name, title } = reader;
    const condition = reader.text("condition")?.trim() ?? "";
    if (condition === "")
      reader.report("invalid-condition", `${title} has no condition. Write e.g. condition: contains(input, "refund").`);
    const ifTrue = reader.flow("if_true");
    const ifFalse = reader.flow("if_false");
    if (!reader.has("if_true") && !reader.has("if_false"))
      reader.report("no-members", `${title} leads nowhere. Write e.g. if_true: refunds.`);
    return {
      type: "branch",
      name,
      condition,
      ...(ifTrue && { if_true: ifTrue }),
      ...(ifFalse && { if_false: ifFalse }),
    };
  },
  write: ({ condition, if_true, if_false }, print) => [
    ["condition", condition],
    ["if_true", if_true && print(if_true)],
    ["if_false", if_false && print(if_false)],
  ],
  lanes: ({ if_true, if_false }) => [
    ["if_true", if_true],
    ["if_false", if_false],
  ],
  searchFields: (branch) => searchFieldsOf(branch, [["other", "Condition", "condition"]]),
  card: ({ condition }) => ({ type: "frame", shape: "diamond", detail: condition, condition }),
});
