/** A JSON value, e.g. in a user's schema or in the arguments of a tool. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** Read its keys with `Object.hasOwn` only. */
export type JsonObject = { readonly [key: string]: Json };

/** A JSON value whose mappings may keep the order of their keys: objects put keys that look like numbers first. */
export type OrderedJson = Json | ReadonlyMap<string, OrderedJson> | { readonly [key: string]: OrderedJson };

export type JsonSchema = JsonObject;

export const limits = {
  /** Maximum length of a source text, in UTF-16 units. */
  sourceLength: 2_000_000,
  /** Largest number of declared agents, groups and swarms together. */
  declarations: 50_000,
  /** Most members of one group, swarm or control. */
  members: 10_000,
  /** Deepest nesting of parentheses, groups and swarms. */
  depth: 200,
  /** Deepest nesting of mappings and lists in a flow file. */
  nesting: 500,
  /** Maximum length of the text that the aliases of a flow file repeat, in UTF-16 units. */
  repeatedLength: 4_000_000,
} as const;

/** Between the outputs of parallel members, where a declaration sets no other. */
export const defaultSeparator = "\n\n";

/**
 * Fields whose text uses variables, e.g. `model: "${vars.model}"`: their texts in the file, by field. The fields themselves
 * have the filled values; they are unset while a variable is missing.
 */
export interface FieldTexts {
  written?: Readonly<Record<string, string>>;
}

/** What every declared node has. */
export interface NodeDeclaration extends FieldTexts {
  type: string;
  name: string;
}

/** What ends a whole run early. */
export interface RunLimits {
  max_seconds?: number | undefined;
  /** Input and output of all model calls. */
  max_tokens?: number | undefined;
  /** US dollars, as far as prices are known. */
  max_cost?: number | undefined;
}

/**
 * What a flow can declare, by node type. Each file of `lib/core/kinds` adds its own type (declaration merging), so that the
 * document model imports none of them.
 */
export interface DeclarationTypes extends Record<never, NodeDeclaration> {}

/** The node types. All of them share one list of names. */
export type NodeType = keyof DeclarationTypes;
/** A declared node; `type` is the discriminant. */
export type Declaration = DeclarationTypes[NodeType];
/** Branches, routers, loops and the like: they direct the flow and contain lanes. */
export type Control = DeclarationTypes[Exclude<NodeType, "agent" | "group" | "swarm">];

/** The saved document, read. Maps keep the order of the file. */
export interface Flow {
  name: string;
  /** What the flow is for, in plain words. */
  description?: string;
  vars: ReadonlyMap<string, string | number | boolean>;
  compat?: "orbiter";
  agents: ReadonlyMap<string, DeclarationTypes["agent"]>;
  groups: ReadonlyMap<string, DeclarationTypes["group"]>;
  swarms: ReadonlyMap<string, DeclarationTypes["swarm"]>;
  controls: ReadonlyMap<string, Control>;
  limits: RunLimits & FieldTexts;
  swarm: DeclarationTypes["swarm"];
}

/** The declaration of `name`, or null. */
export const findDeclaration = ({ agents, groups, swarms, controls }: Flow, name: string): Declaration | null =>
  agents.get(name) ?? groups.get(name) ?? swarms.get(name) ?? controls.get(name) ?? null;
