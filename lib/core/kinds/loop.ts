import type { Expression } from "../flow/expression";
import type { NodeDeclaration } from "../flow/flow";
import { defaultSeparator } from "../flow/flow";
import { defineControl } from "./define-kind";
import { searchFieldsOf } from "./search-field";

declare module "../flow/flow" {
  interface DeclarationTypes {
    loop: Loop;
  }
}

export const loopLimits = { usual: 100, most: 10_000 } as const;

/** Repeats its body: `count` times, while a condition is true, or for each item of a list. Exactly one of the three. */
export interface Loop extends NodeDeclaration {
  type: "loop";
  name: string;
  body?: Expression;
  count?: number;
  while?: string;
  for_each?: string;
  /** Most rounds, in any case. */
  limit: number;
  /** Between the answers for the items. */
  separator: string;
}

/** What says how often a loop repeats. */
const repetitionFields = ["count", "while", "for_each"] as const;

export const loopKind = defineControl<Loop>({
  type: "loop",
  section: "loops",
  fieldTypes: {
    body: "topology",
    count: "number",
    while: "condition",
    for_each: "condition",
    limit: "number",
    separator: "choice",
  },
  alternativeFields: repetitionFields,
  repeats: true,
  requiresLanes: true,
  create: (name) => ({ type: "loop", name, limit: loopLimits.usual, separator: defaultSeparator }),
  read(reader) {
    const { name, title } = reader;
    const body = reader.flow("body");
    if (!reader.has("body")) reader.report("no-members", `${title} has no body. Write e.g. body: writer >> critic.`);
    const limit = reader.number("limit", { least: 1, most: loopLimits.most }) ?? loopLimits.usual;
    const separator = reader.filledText("separator") ?? defaultSeparator;
    const count = reader.number("count", { least: 0, most: loopLimits.most });
    const condition = reader.text("while");
    const items = reader.text("for_each");
    const repetitions = repetitionFields.filter((field) => reader.isWritten(field));
    if (repetitions.length !== 1)
      reader.report(
        "invalid-value",
        `${title} needs exactly one of count, while and for_each; found ${repetitions.join(" and ") || "none"}. Write e.g. count: 3.`,
      );
    return {
      type: "loop",
      name,
      ...(body && { body }),
      limit,
      separator,
      ...(count !== undefined && { count }),
      ...(condition !== undefined && { while: condition }),
      ...(items !== undefined && { for_each: items }),
      ...reader.fieldTexts(),
    };
  },
  write: ({ body, count, while: condition, for_each, limit, separator }, print) => [
    ["body", body && print(body)],
    ["count", count],
    ["while", condition],
    ["for_each", for_each],
    ["limit", limit === loopLimits.usual ? undefined : limit],
    ["separator", separator === defaultSeparator ? undefined : separator],
  ],
  lanes: ({ body }) => [["body", body]],
  searchFields: (loop) =>
    searchFieldsOf(loop, [
      ["other", "While", "while"],
      ["other", "For each", "for_each"],
    ]),
  card({ count = Number.POSITIVE_INFINITY, limit, while: condition, for_each: list }) {
    const most = Math.min(count, limit);
    const decision = condition !== undefined ? `while ${condition}` : list !== undefined ? `for each of ${list}` : "";
    return {
      type: "frame",
      detail: decision,
      condition: decision,
      limit: `at most ${most} ${most === 1 ? "round" : "rounds"}`,
    };
  },
});
