import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { accessTo } from "@/lib/core/condition/condition";
import { functions } from "@/lib/core/condition/functions";
import { runLimitsSchema } from "@/lib/core/flow/schemas/flow-schemas";
import { agentChoices, isAgentChoice } from "@/lib/core/kinds/agent-defaults";
import { errorChoices, groupModes } from "@/lib/core/kinds/group";
import { kindOfSection } from "@/lib/core/kinds/registry";
import { swarmKind, swarmModes } from "@/lib/core/kinds/swarm";
import { topSections } from "@/lib/core/source/read/sections";

export interface Vocabulary {
  names: readonly string[];
  vars: readonly string[];
  models: readonly string[];
  tools: readonly { name: string; description: string }[];
}

/** The text before the caret in its line, and the keys of the enclosing mappings, outermost first. */
interface CaretContext {
  before: string;
  path: readonly string[];
}

export const completeFlowFile =
  (vocabulary: () => Vocabulary) =>
  (context: CompletionContext): CompletionResult | null => {
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    const caret = { before, path: findPath(context, line.number, before) };
    const match = findValues(caret, vocabulary()) ?? findKeys(caret, context.explicit);
    return match && match.options.length > 0
      ? { from: context.pos - match.typed.length, options: match.options, validFor: /^[\w:.@/-]*$/ }
      : null;
  };

interface CompletionMatch {
  typed: string;
  options: CompletionResult["options"];
}

const toOptions = (labels: readonly string[]): CompletionMatch["options"] => labels.map((label) => ({ label }));

function findValues({ before, path }: CaretContext, vocabulary: Vocabulary): CompletionMatch | null {
  const { names, models, tools } = vocabulary;
  const lookedUp = findLookUps(before, vocabulary) ?? findInCondition(before, vocabulary);
  if (lookedUp) return lookedUp;
  const model = /\b(?:fallback_)?model:\s*["']?([^"',}]*)$/.exec(before);
  if (model) return { typed: model[1] ?? "", options: toOptions(models) };
  const choice = /(?:^|[{,])\s*(\w+):\s*(\w*)$/.exec(before);
  const choices = choice && choicesOf(choice[1] ?? "", path[0] ?? "", path.length);
  if (choices) return { typed: choice[2] ?? "", options: toOptions(choices) };
  const tool = typedInList(before, path, toolLists);
  if (tool !== null)
    return { typed: tool, options: tools.map(({ name, description }) => ({ label: name, info: description })) };
  const member = typedInList(before, path, memberLists) ?? memberText.exec(before)?.[1] ?? shortLane(before, path);
  return member === null ? null : { typed: member, options: toOptions(names) };
}

function findLookUps(before: string, { names, vars }: Vocabulary): CompletionMatch | null {
  const typed = /\$\{([^{}$]*)$/.exec(before)?.[1];
  if (typed === undefined) return null;
  const lookUps = ["input", "date", ...vars.map((name) => `vars.${name}`), ...names.map((name) => `outputs.${name}`)];
  return { typed, options: toOptions(lookUps) };
}

function findInCondition(before: string, { names, vars }: Vocabulary): CompletionMatch | null {
  const condition = /\b(?:condition|while|for_each):\s*((?:(?![,{]\s*\w+:(?:\s|$)).)*)$/.exec(before)?.[1];
  if (condition === undefined) return null;
  const typed = /(?:(?:outputs|vars)(?:\.|\["?)?)?[\p{L}\p{N}_]*$/u.exec(condition)?.[0] ?? "";
  return {
    typed,
    options: [
      ...toOptions(["input", "item", "round"]),
      ...names.map((name) => ({ label: `outputs${accessTo(name)}`, type: "variable" })),
      ...vars.map((name) => ({ label: `vars${accessTo(name)}`, type: "variable" })),
      ...[...functions.keys()].map((name) => ({ label: name, type: "function", apply: `${name}(` })),
    ],
  };
}

const toolLists = ["tools", "needs_approval"];
const memberLists = ["agents", "edges", "order"];
const memberText = /\b(?:flow|if_true|if_false|body):\s*["']?(?:[^,{}:]*[\s>|()"'])?([^\s>|(),{}[\]"']*)$/;

function typedInList(before: string, path: readonly string[], keys: readonly string[]): string | null {
  const typed = /[^\s,[\]"'{}]*$/.exec(before)?.[0] ?? "";
  const starts = keys.map((key) => before.lastIndexOf(`${key}:`)).filter((start) => start >= 0);
  const list = starts.length > 0 ? before.slice(before.indexOf(":", Math.max(...starts)) + 1).trimStart() : "";
  if (list.startsWith("[") && !list.includes("{"))
    return list.split("[").length > list.split("]").length ? typed : null;
  return path.length > 1 && keys.includes(path.at(-1) ?? "") && /^\s*-\s/.test(before) ? typed : null;
}

function shortLane(before: string, path: readonly string[]): string | null {
  if (path[0] !== "routers" || path.length !== 3 || path[2] !== "lanes") return null;
  return /:\s+["']?(?:[^{}]*[\s>|()])?([^\s>|(),{}[\]"']*)$/.exec(before)?.[1] ?? null;
}

const rootSection = "swarm";

function choicesOf(key: string, section: string, depth: number): readonly string[] | null {
  if (key === "trim_context" || key === "use_history") return ["true", "false"];
  if (isAgentChoice(key)) return agentChoices[key];
  if (key === "on_error") return errorChoices;
  if (key === "compat" && depth === 0) return ["orbiter"];
  if (key !== "type" || depth > 2) return null;
  if (section === "groups") return groupModes;
  return section === rootSection || section === "swarms" ? swarmModes : null;
}

function findKeys({ before, path }: CaretContext, explicit: boolean): CompletionMatch | null {
  const key = /^\s*([a-z_]*)$/.exec(before) ?? /[{,]\s*([a-z_]*)$/.exec(before);
  if (!key || (!explicit && !key[1])) return null;
  const options = keysAt(path).map((label) => ({ label, type: "property", apply: `${label}: ` }));
  return { typed: key[1] ?? "", options };
}

function keysAt(path: readonly string[]): readonly string[] {
  const [section = "", , field] = path;
  if (path.length === 0) return topSections();
  if (section === rootSection) return path.length === 1 ? swarmKind.fields : [];
  if (section === "limits") return path.length === 1 ? Object.keys(runLimitsSchema.shape) : [];
  const kind = kindOfSection(section);
  if (field !== undefined) return path.length === 4 ? (kind?.nestedFields[field] ?? []) : [];
  return path.length === 2 ? (kind?.fields ?? []) : [];
}

function findPath(context: CompletionContext, lineNumber: number, before: string): string[] {
  const path = openBraces(before);
  let indent = /^ */.exec(before)?.[0].length ?? 0;
  for (let number = lineNumber - 1; number >= 1 && indent > 0; number--) {
    const keyLine = /^( *)(?:- +)?(?:"([^"]*)"|'([^']*)'|([^\s#{[][^:#]*)):(?:\s|$)/.exec(
      context.state.doc.line(number).text,
    );
    if (!keyLine || (keyLine[1]?.length ?? 0) >= indent) continue;
    indent = keyLine[1]?.length ?? 0;
    path.unshift(keyLine[2] ?? keyLine[3] ?? keyLine[4] ?? "");
  }
  return path;
}

function openBraces(before: string): string[] {
  const path: string[] = [];
  for (const { index, 0: sign } of before.matchAll(/[{}]/g)) {
    if (sign === "}") path.pop();
    else path.push(/([^\s{},:"']+)["']?:\s*$/.exec(before.slice(0, index))?.[1] ?? "");
  }
  return path;
}
