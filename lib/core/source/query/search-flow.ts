import { isScalar, type Node } from "yaml";
import { compilePattern } from "../../condition/pattern";
import type { AgentField, Edit } from "../../flow/edit";
import { type Flow, findDeclaration, type NodeType } from "../../flow/flow";
import { applyChanges } from "../../flow/text-change";
import type { TextRange } from "../../flow/text-range";
import { isAgentField } from "../../kinds/agent";
import { declaredNames } from "../../kinds/members";
import { kindOf } from "../../kinds/registry";
import type { SearchArea, SearchField } from "../../kinds/search-field";
import type { SourceDocument } from "../read/source-document";
import { scalarOffsets } from "../yaml/scalar-offsets";
import { rangeOfNode, readEntries, readItems } from "../yaml/yaml-nodes";

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
  range: TextRange;
}

/** Finds the places of a query in a text. */
export type Finder = (text: string) => TextRange[];

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
    const fields = [nameField(name), ...kindOf(declaration).searchFields(declaration)];
    for (const { area, ...field } of fields) {
      if (!areas.has(area)) continue;
      for (const range of find(field.text)) hits.push({ owner: name, type: declaration.type, area, ...field, range });
      if (hits.length >= mostHits) return hits.slice(0, mostHits);
    }
  }
  return hits;
}

const nameField = (name: string): SearchField => ({ area: "names", label: "Name", path: [], text: name });

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
    const { owner, path, text } = firstHit;
    const value = applyChanges(
      text,
      group.map(({ range }) => ({ ...range, insert: replacement })),
    );
    if (value === text) continue;
    if (path.length === 0) renames.push({ type: "rename", from: owner, to: value.trim() });
    else if (path[0] === "tools") {
      const list = tools.get(owner) ?? [...(flow.agents.get(owner)?.tools ?? [])];
      tools.set(owner, list.with(Number(path[1]), value));
    } else if (flow.agents.has(owner))
      edits.push({ type: "set-agent-field", name: owner, field: toAgentField(path[0]), value: orNothing(value) });
    else edits.push({ type: "set-control-field", name: owner, path: [...path], value: orNothing(value) });
  }
  for (const [name, list] of tools)
    edits.push({ type: "set-agent-field", name, field: "tools", value: orNothing(list.filter((tool) => tool !== "")) });
  return [...edits, ...renames];
}

const orNothing = <T extends string | string[]>(value: T): T | undefined => (value.length === 0 ? undefined : value);

function toAgentField(name = ""): AgentField {
  if (isAgentField(name)) return name;
  throw new Error(`an agent has no field ${name}`);
}

/** The range of a hit in the file; the whole value where folds prevent an exact range. */
export function rangeOfHit(document: SourceDocument, { owner, path, range }: Hit): TextRange | null {
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
    const entry = entries?.get(name) ?? (name === "instructions" ? entries?.get("system_prompt") : undefined);
    node = entries ? (entry?.value ?? null) : (readItems(node, yaml)?.[Number(name)] ?? null);
  }
  return node;
}
