import type { Expression } from "../../flow/expression";
import { type Control, defaultSeparator } from "../../flow/flow";
import type { Approval } from "../../kinds/approval";
import type { Branch } from "../../kinds/branch";
import { type Loop, loopLimits } from "../../kinds/loop";
import type { Router } from "../../kinds/router";
import type { RouterLane } from "../../kinds/router-lane";
import { isBlank, readText, type YamlEntry } from "../yaml/yaml-nodes";
import type { EntryReader } from "./entry-reader";
import {
  type DeclarationInput,
  readFilledText,
  readFlowText,
  readNumber,
  readTextField,
  type SourceTopology,
  toSourceTopology,
} from "./read-topology";

/** The fields that each type of control has in a flow file. */
export const controlFields = {
  branch: ["condition", "if_true", "if_false"],
  router: ["model", "instructions", "lanes"],
  loop: ["body", "count", "while", "for_each", "limit", "separator"],
  approval: ["message", "timeout_seconds"],
} as const;
/** The fields of a lane of a router. */
export const laneFields = ["when", "flow"];

/** Reads a branch, router, loop or approval. What is wrong with it is a problem, and the rest stays. */
export function readControl(
  type: Control["type"],
  input: DeclarationInput,
): { control: Control; site: SourceTopology } {
  const sourceTopology = toSourceTopology(input, controlFields[type]);
  switch (type) {
    case "branch":
      return { control: readBranch(input, sourceTopology), site: sourceTopology };
    case "router":
      return { control: readRouter(input, sourceTopology), site: sourceTopology };
    case "loop":
      return { control: readLoop(input, sourceTopology), site: sourceTopology };
    case "approval":
      return { control: readApproval(input, sourceTopology), site: sourceTopology };
  }
}

function readBranch({ name, title, entry, reader }: DeclarationInput, sourceTopology: SourceTopology): Branch {
  const condition = readTextField(sourceTopology, "condition", reader)?.trim() ?? "";
  if (condition === "")
    reader.report(
      "invalid-condition",
      "error",
      `${title} has no condition. Write e.g. condition: contains(input, "refund").`,
      entry.keyNode,
    );
  const ifTrue = readFlowText(sourceTopology, "if_true", reader);
  const ifFalse = readFlowText(sourceTopology, "if_false", reader);
  if (!sourceTopology.entries.has("if_true") && !sourceTopology.entries.has("if_false"))
    reader.report("no-members", "error", `${title} leads nowhere. Write e.g. if_true: refunds.`, entry.keyNode);
  return {
    type: "branch",
    name,
    condition,
    ...(ifTrue && { if_true: ifTrue }),
    ...(ifFalse && { if_false: ifFalse }),
  };
}

function readRouter({ name, title, entry, reader }: DeclarationInput, sourceTopology: SourceTopology): Router {
  const model = readFilledText(sourceTopology, "model", reader, false);
  const lanesEntry = sourceTopology.entries.get("lanes");
  const lanes = new Map<string, RouterLane>();
  for (const lane of lanesEntry ? reader.mapping(lanesEntry, "a mapping of lanes") : [])
    lanes.set(lane.key, readLane(lane, title, sourceTopology, reader));
  if (lanes.size === 0)
    reader.report(
      "no-members",
      "error",
      `${title} has no lanes. Write e.g. lanes: { billing: { when: invoices, flow: billing } }.`,
      entry.keyNode,
    );
  return {
    type: "router",
    name,
    instructions: readTextField(sourceTopology, "instructions", reader) ?? "",
    lanes,
    ...(model !== undefined && { model }),
    ...reader.written,
  };
}

/** A lane is a mapping with `when` and `flow`, or in short the DSL text alone. */
function readLane(entry: YamlEntry, title: string, sourceTopology: SourceTopology, reader: EntryReader): RouterLane {
  const laneEntries = reader.entries(entry.value);
  if (!laneEntries)
    return {
      when: "",
      ...toFlow(isBlank(entry.value) ? undefined : readFlowText(sourceTopology, { lane: entry.key, entry }, reader)),
    };
  for (const laneEntry of laneEntries)
    if (!laneFields.includes(laneEntry.key))
      reader.reportUnknownKey(laneEntry, laneFields, `lane "${entry.key}" of ${title}`);
  const flow = laneEntries.find(({ key }) => key === "flow");
  return {
    when: readText(laneEntries.find(({ key }) => key === "when")?.value ?? null) ?? "",
    ...toFlow(flow && readFlowText(sourceTopology, { lane: entry.key, entry: flow }, reader)),
  };
}

const toFlow = (flow: Expression | undefined) => (flow ? { flow } : {});

function readLoop({ name, title, entry, reader }: DeclarationInput, sourceTopology: SourceTopology): Loop {
  const body = readFlowText(sourceTopology, "body", reader);
  if (!sourceTopology.entries.has("body"))
    reader.report("no-members", "error", `${title} has no body. Write e.g. body: writer >> critic.`, entry.keyNode);
  const loop: Loop = {
    type: "loop",
    name,
    ...(body && { body }),
    limit: readNumber(sourceTopology, "limit", reader, { least: 1, most: loopLimits.most }) ?? loopLimits.usual,
    separator: readFilledText(sourceTopology, "separator", reader) ?? defaultSeparator,
  };
  const count = readNumber(sourceTopology, "count", reader, { least: 0, most: loopLimits.most });
  const condition = readTextField(sourceTopology, "while", reader);
  const items = readTextField(sourceTopology, "for_each", reader);
  const ways = ["count", "while", "for_each"].filter((key) => !isBlank(sourceTopology.entries.get(key)?.value ?? null));
  if (ways.length !== 1)
    reader.report(
      "invalid-value",
      "error",
      `${title} needs exactly one of count, while and for_each; found ${ways.join(" and ") || "none"}. Write e.g. count: 3.`,
      entry.keyNode,
    );
  if (count !== undefined) loop.count = count;
  if (condition !== undefined) loop.while = condition;
  if (items !== undefined) loop.for_each = items;
  return { ...loop, ...reader.written };
}

function readApproval({ name, reader }: DeclarationInput, sourceTopology: SourceTopology): Approval {
  const seconds = readNumber(sourceTopology, "timeout_seconds", reader, {
    least: 0.001,
    most: 31_536_000,
    whole: false,
  });
  return {
    type: "approval",
    name,
    message: readFilledText(sourceTopology, "message", reader) ?? "",
    ...(seconds !== undefined && { timeout_seconds: seconds }),
    ...reader.written,
  };
}
