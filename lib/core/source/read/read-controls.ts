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
export function readControl(type: Control["type"], part: DeclarationInput): { control: Control; site: SourceTopology } {
  const site = toSourceTopology(part, controlFields[type]);
  switch (type) {
    case "branch":
      return { control: readBranch(part, site), site };
    case "router":
      return { control: readRouter(part, site), site };
    case "loop":
      return { control: readLoop(part, site), site };
    case "approval":
      return { control: readApproval(part, site), site };
  }
}

function readBranch({ name, title, entry, reader: reading }: DeclarationInput, site: SourceTopology): Branch {
  const condition = readTextField(site, "condition", reading)?.trim() ?? "";
  if (condition === "")
    reading.report(
      "invalid-condition",
      "error",
      `${title} has no condition. Write e.g. condition: contains(input, "refund").`,
      entry.keyNode,
    );
  const ifTrue = readFlowText(site, "if_true", reading);
  const ifFalse = readFlowText(site, "if_false", reading);
  if (!site.entries.has("if_true") && !site.entries.has("if_false"))
    reading.report("no-members", "error", `${title} leads nowhere. Write e.g. if_true: refunds.`, entry.keyNode);
  return {
    type: "branch",
    name,
    condition,
    ...(ifTrue && { if_true: ifTrue }),
    ...(ifFalse && { if_false: ifFalse }),
  };
}

function readRouter({ name, title, entry, reader: reading }: DeclarationInput, site: SourceTopology): Router {
  const model = readFilledText(site, "model", reading, false);
  const found = site.entries.get("lanes");
  const lanes = new Map<string, RouterLane>();
  for (const lane of found ? reading.mapping(found, "a mapping of lanes") : [])
    lanes.set(lane.key, readLane(lane, title, site, reading));
  if (lanes.size === 0)
    reading.report(
      "no-members",
      "error",
      `${title} has no lanes. Write e.g. lanes: { billing: { when: invoices, flow: billing } }.`,
      entry.keyNode,
    );
  return {
    type: "router",
    name,
    instructions: readTextField(site, "instructions", reading) ?? "",
    lanes,
    ...(model !== undefined && { model }),
    ...reading.written,
  };
}

/** A lane is a mapping with `when` and `flow`, or in short the DSL text alone. */
function readLane(entry: YamlEntry, title: string, site: SourceTopology, reading: EntryReader): RouterLane {
  const inner = reading.entries(entry.value);
  if (!inner)
    return {
      when: "",
      ...toFlow(isBlank(entry.value) ? undefined : readFlowText(site, { lane: entry.key, entry }, reading)),
    };
  for (const one of inner)
    if (!laneFields.includes(one.key)) reading.reportUnknownKey(one, laneFields, `lane "${entry.key}" of ${title}`);
  const flow = inner.find(({ key }) => key === "flow");
  return {
    when: readText(inner.find(({ key }) => key === "when")?.value ?? null) ?? "",
    ...toFlow(flow && readFlowText(site, { lane: entry.key, entry: flow }, reading)),
  };
}

const toFlow = (flow: Expression | undefined) => (flow ? { flow } : {});

function readLoop({ name, title, entry, reader: reading }: DeclarationInput, site: SourceTopology): Loop {
  const body = readFlowText(site, "body", reading);
  if (!site.entries.has("body"))
    reading.report("no-members", "error", `${title} has no body. Write e.g. body: writer >> critic.`, entry.keyNode);
  const loop: Loop = {
    type: "loop",
    name,
    ...(body && { body }),
    limit: readNumber(site, "limit", reading, { least: 1, most: loopLimits.most }) ?? loopLimits.usual,
    separator: readFilledText(site, "separator", reading) ?? defaultSeparator,
  };
  const count = readNumber(site, "count", reading, { least: 0, most: loopLimits.most });
  const condition = readTextField(site, "while", reading);
  const items = readTextField(site, "for_each", reading);
  const ways = ["count", "while", "for_each"].filter((key) => !isBlank(site.entries.get(key)?.value ?? null));
  if (ways.length !== 1)
    reading.report(
      "invalid-value",
      "error",
      `${title} needs exactly one of count, while and for_each; found ${ways.join(" and ") || "none"}. Write e.g. count: 3.`,
      entry.keyNode,
    );
  if (count !== undefined) loop.count = count;
  if (condition !== undefined) loop.while = condition;
  if (items !== undefined) loop.for_each = items;
  return { ...loop, ...reading.written };
}

function readApproval({ name, reader: reading }: DeclarationInput, site: SourceTopology): Approval {
  const seconds = readNumber(site, "timeout_seconds", reading, { least: 0.001, most: 31_536_000, whole: false });
  return {
    type: "approval",
    name,
    message: readFilledText(site, "message", reading) ?? "",
    ...(seconds !== undefined && { timeout_seconds: seconds }),
    ...reading.written,
  };
}
