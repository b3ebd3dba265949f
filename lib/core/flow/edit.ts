import type { Control, DeclarationTypes, Json, RunLimits } from "./flow";
import { keyNames, type NodeKey, nodeKey, renameInKey } from "./node-key";
import type { Note, Notes } from "./note";

/**
 * Where an edit happens: the root swarm, a named swarm or group, or one lane of a control (`if_true`, `body`, a router's).
 * Names inside an edit are declared names, not keys: a group used in two places is edited once.
 */
export type Scope =
  | { type: "root" }
  | { type: "swarm"; name: string }
  | { type: "group"; name: string }
  | { type: "lane"; name: string; lane: string };

/** Where in a scope a fragment is inserted. */
export type InsertionPoint =
  /** Before or after the members, taken as one unit, or in parallel with them. */
  | { type: "before"; names: readonly string[] }
  | { type: "after"; names: readonly string[] }
  | { type: "beside"; names: readonly string[] }
  /** On a link. */
  | { type: "between"; from: string; to: string }
  /** After all members. */
  | { type: "end" }
  /** Declared, but not yet in the flow. */
  | { type: "waiting" };

/** Fields of an agent in a flow file. */
export type AgentField = Exclude<keyof DeclarationTypes["agent"], "type" | "name" | "written">;

/** Fields of a swarm that limit what it does. */
export type SwarmLimit = Extract<keyof DeclarationTypes["swarm"], `max_${string}`>;

/** A named change to a flow. Pure data: it can be sent, logged and replayed. */
export type Edit =
  /**
   * Declares an agent. With `after` it also joins the flow after that member, with `atEnd` after the last steps; else it stays
   * outside of the flow until it is connected.
   */
  | {
      type: "add-agent";
      name: string;
      model?: string;
      instructions?: string;
      scope: Scope;
      after?: string;
      atEnd?: boolean;
    }
  /** Declares an agent that another edit inserts into the flow. */
  | { type: "declare-agent"; name: string; model?: string; instructions?: string }
  /** Inserts a fragment, written as a flow file of its own; names that are in use are replaced by free ones. */
  | { type: "insert-fragment"; text: string; scope: Scope; place: InsertionPoint }
  | { type: "connect"; scope: Scope; from: string; to: string }
  | { type: "disconnect"; scope: Scope; from: string; to: string }
  /** Removes members from the flow, linking their predecessors to their successors; with `declarations`, their declarations too. */
  | { type: "delete-nodes"; scope: Scope; names: readonly string[]; declarations: boolean }
  /** Wraps members in parentheses, in parallel or in series, keeping the links to the other members. */
  | { type: "wrap-parallel"; scope: Scope; names: readonly string[] }
  | { type: "wrap-serial"; scope: Scope; names: readonly string[] }
  /** Moves members into a new named group or nested swarm, which replaces them. */
  | {
      type: "extract-group";
      scope: Scope;
      names: readonly string[];
      name: string;
      group: DeclarationTypes["group"]["mode"];
    }
  | { type: "extract-swarm"; scope: Scope; names: readonly string[]; name: string }
  /**
   * Declares a branch, router or loop with these fields, which takes the place of members: they become its first lane. Comments
   * between them go along.
   */
  | {
      type: "wrap-control";
      scope: Scope;
      names: readonly string[];
      control: Control["type"];
      name: string;
      fields: Readonly<Record<string, Json>>;
    }
  /** Removes the innermost parentheses around members: a parallel becomes a serial, a serial a parallel. */
  | { type: "unwrap"; scope: Scope; names: readonly string[] }
  /** Replaces a named group or nested workflow by its topology; the declaration is removed when it is no longer used. */
  | { type: "inline"; scope: Scope; name: string }
  /** Removes a member from `from` (missing: it is not in the flow yet), linking its neighbours, and inserts it into `scope`. */
  | {
      type: "move-member";
      name: string;
      from?: Scope;
      scope: Scope;
      /** The position in `scope`; missing: after all members. */
      at?: { member: string; side: "before" | "after" | "beside" };
    }
  /** Renames a declaration and every reference to it. */
  | { type: "rename"; from: string; to: string }
  /** Sets one field of an agent; `undefined` removes it. */
  | { type: "set-agent-field"; name: string; field: AgentField; value?: Json | undefined }
  /** Declares a branch, router, loop or approval with these fields; joins the flow as a new agent does. */
  | {
      type: "add-control";
      control: Control["type"];
      name: string;
      fields: Readonly<Record<string, Json>>;
      scope: Scope;
      after?: string;
      atEnd?: boolean;
    }
  /** Sets one field of a control, e.g. `["condition"]` or `["lanes", "billing", "when"]`; `undefined` removes it. */
  | { type: "set-control-field"; name: string; path: readonly string[]; value?: Json | undefined }
  /** Changes how the members of a swarm work together, keeping the members. */
  | { type: "set-swarm-type"; scope: Scope; swarm: DeclarationTypes["swarm"]["mode"] }
  | { type: "set-swarm-field"; scope: Scope; field: SwarmLimit; value?: number | string | undefined }
  /** Sets one limit of a whole run; `undefined` removes it. */
  | { type: "set-limit"; field: keyof RunLimits; value?: number | string | undefined }
  /** Sets one variable of the flow; `undefined` removes it. */
  | { type: "set-var"; name: string; value?: string | number | boolean | undefined }
  /** Renames a variable, and every look-up and condition that reads it. */
  | { type: "rename-var"; from: string; to: string }
  | { type: "set-separator"; scope: Scope; separator: string }
  | { type: "set-flow-name"; name: string }
  /** Sets the description of the flow; an empty text removes it. */
  | { type: "set-flow-description"; text: string }
  /** Replaces the DSL text of a scope. Comments of the old text stay, and the layout of what is in both. */
  | { type: "set-flow-text"; scope: Scope; text: string }
  /** Moves a node away from its position in the automatic layout; `null` restores that position. */
  | { type: "set-pin"; key: NodeKey; pin: Pin | null }
  /** Draws groups, swarms or loops as one card each, or with their content again. */
  | { type: "set-folded"; keys: readonly NodeKey[]; folded: boolean }
  /** Sets the direction of serials in the automatic layout. */
  | { type: "set-direction"; direction: FlowDirection }
  | { type: "add-note"; id: string; note: Note }
  /** Moves, resizes, colours or writes a note. Missing fields keep their values. */
  | { type: "change-note"; id: string; change: Partial<Note> }
  | { type: "remove-note"; id: string };

/** The edit of a type. */
export type EditOf<Type extends Edit["type"]> = Extract<Edit, { type: Type }>;

/** How far, in canvas pixels, a user moved a node away from its automatic position. */
interface Pin {
  dx: number;
  dy: number;
}

/** The direction of a serial on the canvas. */
export type FlowDirection = "right" | "down";

/**
 * What a flow stores next to its text, never in it: pins by node key, the direction (missing: right), and notes on the canvas.
 */
export interface Layout {
  pins: Readonly<Record<NodeKey, Pin>>;
  /** Chosen by a user; missing: whichever fits the view. */
  direction?: FlowDirection | undefined;
  notes?: Notes | undefined;
  /** Groups, swarms and loops that are drawn as one card each. */
  folded?: readonly NodeKey[] | undefined;
  /** The arrangement that pins and notes were placed in; missing without any. */
  fit?: ArrangementFit | undefined;
}

/** How a flow was arranged for a view: see `ArrangeOptions`. */
export interface ArrangementFit {
  direction?: FlowDirection | undefined;
  density?: "full" | "compact" | undefined;
  wrap?: number | undefined;
  waitingColumns?: number | undefined;
}

export const emptyLayout: Layout = { pins: {} };

/** The layout with the keys of pins adapted to a rename. */
export const renamePins = ({ pins, folded, ...otherFields }: Layout, oldName: string, newName: string): Layout => ({
  ...otherFields,
  ...(folded && { folded: folded.map((key) => renameInKey(key, oldName, newName)) }),
  pins: Object.fromEntries(Object.entries(pins).map(([key, pin]) => [renameInKey(key, oldName, newName), pin])),
});

/** The layout with the names in the key of every pin and folded node mapped; null drops it. */
export function movePins(layout: Layout, map: (names: readonly string[]) => readonly string[] | null): Layout {
  const pins = Object.entries(layout.pins).flatMap(([key, pin]): [NodeKey, Pin][] => {
    const names = map(keyNames(key));
    return names ? [[names.reduce(nodeKey, ""), pin]] : [];
  });
  const folded = layout.folded?.flatMap((key) => {
    const names = map(keyNames(key));
    return names ? [names.reduce(nodeKey, "")] : [];
  });
  return { ...layout, ...(folded && { folded }), pins: Object.fromEntries(pins) };
}

/** The layout with these nodes folded or not. */
export function foldInLayout(layout: Layout, keys: readonly NodeKey[], isFolded: boolean): Layout {
  const { folded = [], ...otherFields } = layout;
  const others = folded.filter((key) => !keys.includes(key));
  const next = isFolded ? [...others, ...keys] : others;
  return next.length > 0 ? { ...otherFields, folded: next } : otherFields;
}

/** The folded nodes that contain a node, the outermost first. */
export const findFoldsAround = ({ folded = [] }: Layout, key: NodeKey): NodeKey[] =>
  folded.filter((outer) => key.startsWith(`${outer}/`)).toSorted((a, b) => a.length - b.length);

/** Whether two layouts are equal. */
export const sameLayout = (a: Layout, b: Layout): boolean =>
  a === b ||
  (a.direction === b.direction &&
    sameEntries(a.pins, b.pins) &&
    sameEntries(a.notes ?? {}, b.notes ?? {}) &&
    sameKeys(a.folded ?? [], b.folded ?? []) &&
    sameFields(a.fit ?? {}, b.fit ?? {}));

/** In any order. */
function sameKeys(a: readonly NodeKey[], b: readonly NodeKey[]): boolean {
  const keys = new Set(b);
  return a.length === b.length && a.every((key) => keys.has(key));
}

function sameEntries(a: Readonly<Record<string, object>>, b: Readonly<Record<string, object>>): boolean {
  if (a === b) return true;
  const [entries, otherEntries] = [Object.entries(a), new Map(Object.entries(b))];
  return (
    entries.length === otherEntries.size && entries.every(([key, value]) => sameFields(value, otherEntries.get(key)))
  );
}

/** Whether two pins, notes or other flat objects have the same fields with equal values. */
export function sameFields(a: object | undefined, b: object | undefined): boolean {
  if (a === undefined || b === undefined || a === b) return a === b;
  const [fields, otherFields] = [Object.entries(a), new Map(Object.entries(b))];
  return fields.length === otherFields.size && fields.every(([name, value]) => otherFields.get(name) === value);
}
