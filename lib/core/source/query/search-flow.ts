import { isScalar, type Node } from "yaml";
import { compilePattern } from "../../condition/pattern";
import type { AgentField, Edit } from "../../flow/edit";
import { asWritten } from "../../flow/field-variables";
import { type Control, type Flow, findDeclaration, type NodeType } from "../../flow/flow";
import { applyChanges } from "../../flow/text-change";
import type { Range } from "../../flow/text-range";
import { type Agent, agentSchema } from "../../kinds/agent";
import type { Group } from "../../kinds/group";
import { declaredNames } from "../../kinds/members";
import type { Swarm } from "../../kinds/swarm";
import type { SourceDocument } from "../read/source-document";
import { scalarOffsets } from "../yaml/scalar-offsets";
import { rangeOfNode, readEntries, readItems } from "../yaml/yaml-nodes";

/** What a search looks at. */
export const searchAreas = ["names", "instructions", "tools", "models", "other"] as const;
export type SearchArea = (typeof searchAreas)[number];

export interface SearchQuery {
  text: string;
  matchCase: boolean;
  /** Whether `text` is a pattern in RE2's syntax. */
  pattern: boolean;
}

/** One place where something was found. */
export interface Hit {
  /** The declaration that holds it. */
  owner: string;
  type: NodeType;
  area: SearchArea;
  /** The field as people call it. */
  label: string;
  /** Names of the field and what is in it; empty for the name itself. */
  path: readonly string[];
  /** The whole value, and the place in it. */
  text: string;
  range: Range;
}

/** Finds the places of a query in a text. */
export type Finder = (text: string) => Range[];

const longestQuery = 500;
/** More hits than this are not listed: no user reads them. */
export const mostHits = 2000;

/** How to find what a query asks for, in time proportional to the text. Null: it asks for nothing. */
export function toFinder({
  text,
  matchCase,
  pattern,
}: SearchQuery): { ok: true; find: Finder } | { ok: false; message: string } | null {
  if (text === "") return null;
  if (pattern) {
    const compiled = compilePattern(matchCase ? text : `(?i)${text}`);
    return compiled.ok ? { ok: true, find: compiled.placesIn } : compiled;
  }
  if (text.length > longestQuery)
    return {
      ok: false,
      message: `Expected at most ${longestQuery} characters to look for, found ${text.length}. Look for less.`,
    };
  const literal = new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"), matchCase ? "g" : "gi");
  return {
    ok: true,
    find: (value) =>
      [...value.matchAll(literal)].map(({ index, 0: match }) => ({ from: index, to: index + match.length })),
  };
}

/** All matches of `find` in the texts of a flow, in the order of the file; at most `mostHits`. */
export function searchFlow(flow: Flow, find: Finder, areas: ReadonlySet<SearchArea>): Hit[] {
  const hits: Hit[] = [];
  for (const name of declaredNames(flow)) {
    const declaration = findDeclaration(flow, name);
    if (!declaration) continue;
    const fields = [
      nameField(name),
      ...(declaration.type === "agent" ? agentFields(declaration) : partFields(declaration)),
    ];
    for (const { area, ...field } of fields) {
      if (!areas.has(area)) continue;
      for (const range of find(field.text)) hits.push({ owner: name, type: declaration.type, area, ...field, range });
      if (hits.length >= mostHits) return hits.slice(0, mostHits);
    }
  }
  return hits;
}

type Field = Pick<Hit, "area" | "label" | "path" | "text">;

const field = (area: SearchArea, label: string, path: readonly string[], text: string | undefined): Field[] =>
  text === undefined || text === "" ? [] : [{ area, label, path, text }];

const nameField = (name: string): Field => ({ area: "names", label: "Name", path: [], text: name });

const agentFields = (agent: Agent): Field[] => [
  ...field("models", "Model", ["model"], asWritten(agent, "model", agent.model)),
  ...field("models", "Fallback model", ["fallback_model"], asWritten(agent, "fallback_model", agent.fallback_model)),
  ...field("other", "Description", ["description"], asWritten(agent, "description", agent.description)),
  ...field("instructions", "Instructions", ["instructions"], agent.instructions),
  ...agent.tools.flatMap((tool, index) => field("tools", "Tool", ["tools", String(index)], tool)),
];

function partFields(declaration: Group | Swarm | Control): Field[] {
  switch (declaration.type) {
    case "branch":
      return field("other", "Condition", ["condition"], declaration.condition);
    case "router":
      return [
        ...field("models", "Model", ["model"], asWritten(declaration, "model", declaration.model)),
        ...field("instructions", "Instructions", ["instructions"], declaration.instructions),
        ...[...declaration.lanes].flatMap(([lane, { when }]) =>
          field("other", `When ${lane}`, ["lanes", lane, "when"], when),
        ),
      ];
    case "loop":
      return [
        ...field("other", "While", ["while"], declaration.while),
        ...field("other", "For each", ["for_each"], declaration.for_each),
      ];
    case "approval":
      return field("instructions", "Question", ["message"], asWritten(declaration, "message", declaration.message));
    default:
      return [];
  }
}

/** The edits that write `by` at every hit. Names are renamed everywhere they are used, last of all. */
export function replaceHits(flow: Flow, hits: readonly Hit[], replacement: string): Edit[] {
  const fields = new Map<string, Hit[]>();
  for (const hit of hits) {
    const key = JSON.stringify([hit.owner, hit.path]);
    fields.set(key, [...(fields.get(key) ?? []), hit]);
  }
  const edits: Edit[] = [];
  const renames: Edit[] = [];
  const tools = new Map<string, string[]>();
  for (const group of fields.values()) {
    const [firstHit] = group;
    if (!firstHit) continue;
    const { owner, type: kind, path, text } = firstHit;
    const value = applyChanges(
      text,
      group.map(({ range }) => ({ ...range, insert: replacement })),
    );
    if (value === text) continue;
    if (path.length === 0) renames.push({ type: "rename", from: owner, to: value.trim() });
    else if (path[0] === "tools") {
      const list = tools.get(owner) ?? [...(flow.agents.get(owner)?.tools ?? [])];
      tools.set(owner, list.with(Number(path[1]), value));
    } else if (kind === "agent")
      edits.push({ type: "set-agent-field", name: owner, field: toAgentField(path[0]), value: orNothing(value) });
    else edits.push({ type: "set-control-field", name: owner, path: [...path], value: orNothing(value) });
  }
  for (const [name, list] of tools)
    edits.push({ type: "set-agent-field", name, field: "tools", value: orNothing(list.filter((tool) => tool !== "")) });
  return [...edits, ...renames];
}

const orNothing = <T extends string | string[]>(value: T): T | undefined => (value.length === 0 ? undefined : value);

const isAgentField = (name: string): name is AgentField => Object.hasOwn(agentSchema.shape, name);

function toAgentField(name = ""): AgentField {
  if (isAgentField(name)) return name;
  throw new Error(`an agent has no field ${name}`);
}

/** The range of a hit in the file; the whole value where folds prevent an exact range. */
export function rangeOfHit(document: SourceDocument, { owner, path, range }: Hit): Range | null {
  const declaration = document.declarations.get(owner);
  if (!declaration) return null;
  const node = path.length === 0 ? declaration.nameNode : findNode(document, declaration.value, path);
  const offsets = isScalar(node) ? scalarOffsets(document.text, node) : null;
  return offsets?.toRange(range) ?? rangeOfNode(node ?? declaration.nameNode, document.text) ?? null;
}

/** The node at a path; an agent's instructions may be called as in Orbiter's files. */
function findNode({ yaml }: SourceDocument, value: Node | null, path: readonly string[]): Node | null {
  let node = value;
  for (const name of path) {
    const entries = readEntries(node, yaml);
    const entry = entries?.find(({ key }) => key === name) ?? entries?.find(({ key }) => isOldName(key, name));
    node = entries ? (entry?.value ?? null) : (readItems(node, yaml)?.[Number(name)] ?? null);
  }
  return node;
}

const isOldName = (key: string, name: string): boolean => key === "system_prompt" && name === "instructions";
