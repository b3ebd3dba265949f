import { afterAll, describe, expect, it } from "vitest";
import type { Edit } from "../../flow/edit";
import { applyChanges } from "../../flow/text-change";
import { agentFieldTypes, type FieldType, toSharedWriting } from "../../kinds/field-types";
import type { NodeKind } from "../../kinds/node-kind";
import { builtInKinds, listNodeKinds, registerNodeKind } from "../../kinds/registry";
import { delayKind } from "../../kinds/testing/delay";
import { readSource } from "../read-source";
import { diffFields } from "./diff-fields";
import { findChoiceAt, findTextAt } from "./find-field";
import { joinTwins } from "./join-twins";

/** A kind with one field of each type. */
registerNodeKind({
  ...delayKind,
  fieldTypes: { ...delayKind.fieldTypes, reason: "prose", until: "condition", unit: "choice" },
  fields: [...delayKind.fields, "reason", "until", "unit"],
});
afterAll(() => registerNodeKind(delayKind));

const source = `agents:
  a: { model: "demo:writer" }
delays:
  wait:
    reason: "Take a break"
    until: "round > 3"
    unit: "hours"
    seconds: 5
swarm:
  flow: a >> wait
`;
const rangeOf = (text: string, part: string) => ({ from: text.indexOf(part), to: text.indexOf(part) + part.length });

describe("a field with a declared type", () => {
  it.each<[part: string, field: string]>([
    ["a break", "reason"],
    ["round", "until"],
  ])("is a text whose letters merge: %s", (part, field) => {
    const edit: Edit = { type: "set-control-field", name: "wait", path: [field], value: "" };
    const document = readSource(source);
    expect(findTextAt(document, rangeOf(source, part))).toEqual(edit);
    expect(findChoiceAt(document, rangeOf(source, part))).toBeNull();
    const next = source.replace(part, "x");
    expect(applyChanges(source, diffFields(document, readSource(next)))).toBe(next);
  });

  it.each([
    ["hours", "unit"],
    ["5", "seconds"],
  ])("is a value that is replaced as a whole: %s", (part, field) => {
    const document = readSource(source);
    expect(findTextAt(document, rangeOf(source, part))).toBeNull();
    expect(findChoiceAt(document, rangeOf(source, part))?.key).toBe(field);
  });

  it("is joined as its type says where it was added twice", () => {
    const prose = readSource(source.replace("    until", '    reason: "now"\n    until'));
    expect(applyChanges(prose.text, joinTwins(prose))).not.toContain("# reason");
    const choice = readSource(source.replace("    seconds", '    unit: "days"\n    seconds'));
    expect(applyChanges(choice.text, joinTwins(choice))).toContain('# unit: "days"');
  });
});

it("every field of every kind is a text, a value or lists steps", () => {
  const writings = listNodeKinds().flatMap(({ fieldTypes }: NodeKind) =>
    Object.values(fieldTypes).map((type: FieldType) => toSharedWriting(type)),
  );
  expect(new Set(writings)).toEqual(new Set(["lines", "line", "value", "steps"]));
  expect(builtInKinds.agent.fields).toEqual(Object.keys(agentFieldTypes));
});
