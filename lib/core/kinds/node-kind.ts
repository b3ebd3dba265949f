import type { Expression, FlowTextKind } from "../flow/expression";
import type { Control, Declaration, DeclarationTypes, Flow, OrderedJson } from "../flow/flow";
import type { Link } from "../flow/graph";
import type { CardContent } from "./card-content";
import type { DeclarationChecks, DeclarationProblem } from "./declaration-checks";
import type { DeclarationReader } from "./declaration-reader";
import type { FieldTypes } from "./field-types";
import type { SearchField } from "./search-field";

/** A topology inside a declaration, under the name that it has in the flow file and on the canvas. */
export type Lane = readonly [name: string, flow: Expression | undefined];

/** What a frame on the canvas contains. */
export type NodeContent =
  /** A topology. */
  | { type: "flow"; flow: Expression }
  /** The lanes of a control, side by side. */
  | { type: "lanes"; lanes: readonly Lane[] }
  /** Members without an order, side by side. */
  | { type: "members"; members: readonly string[] }
  /** Members and links between them. `ranks`: by distance from the first member, or by the longest path. */
  | {
      type: "graph";
      members: readonly string[];
      links: readonly Link[];
      linkType: "draft" | "handoff" | "delegate" | "spawn";
      ranks: "distance" | "longest-path";
    };

/** Prints an expression as DSL text. */
export type PrintFlow = (expression: Expression, as?: FlowTextKind) => string;

/** A field of the flow file with its value; `undefined` is left out. */
export type FieldValue = readonly [field: string, value: OrderedJson | undefined];

/** The declarations of a flow while it is read. */
export interface DeclarationMaps {
  agents: Map<string, DeclarationTypes["agent"]>;
  groups: Map<string, DeclarationTypes["group"]>;
  swarms: Map<string, DeclarationTypes["swarm"]>;
  controls: Map<string, Control>;
}

/**
 * Everything that depends on the type of a node. Methods take declarations of the own type only: callers get the kind of a
 * declaration from the registry. Pure; nothing throws.
 */
export interface NodeKind<Node extends Declaration = Declaration> {
  readonly type: Node["type"];
  /** Its indefinite article in messages. */
  readonly article: "a" | "an";
  /** The section of a flow file that declares such nodes, e.g. `branches`. */
  readonly section: string;
  /** Whether a new flow file has the section even without declarations. */
  readonly isAlwaysWritten: boolean;
  /** Whether the section may also be a list of items with a `name`, as in files of Orbiter. */
  readonly mayBeListed: boolean;
  /** What each field of a declaration holds in a flow file. The lists of fields below are made of it. */
  readonly fieldTypes: FieldTypes;
  /** Fields that are accepted as well, e.g. older names. */
  readonly otherFieldTypes: FieldTypes;
  /** The fields of what a field contains, by field: of the lanes of a router. */
  readonly nestedFieldTypes: Readonly<Record<string, FieldTypes>>;
  /** Fields of which a declaration has one: a form sets them as one choice. */
  readonly alternativeFields: readonly string[];
  readonly fields: readonly string[];
  readonly otherFields: readonly string[];
  readonly nestedFields: Readonly<Record<string, readonly string[]>>;
  /** Whether each of its lanes must have a member. */
  readonly requiresLanes: boolean;
  /** Whether it can contain other nodes. */
  readonly isContainer: boolean;
  /** Whether it directs the flow by lanes: a branch, router, loop or approval. */
  readonly isControl: boolean;
  /** Fields that are conditions (lib/core/condition). */
  readonly conditionFields: readonly string[];
  /** Whether conditions in it may use `item` and `round`. */
  readonly repeats: boolean;
  /** Fields that are filled with template variables when the node starts, older names included. */
  readonly promptFields: readonly string[];
  /** How problems of a flow file call the declaration, e.g. `Branch "urgent"`. */
  title(name: string): string;
  /** The map of the flow that contains such nodes; for controls also those of other types. */
  collection(flow: Flow): ReadonlyMap<string, Declaration>;
  /** Adds a declaration, unless its name is declared already. */
  declare(maps: DeclarationMaps, declaration: Node): void;
  /** A declaration of which only the name is known. */
  create(name: string): Node;
  /** Reads a declaration. A wrong value is reported and replaced by its default. */
  read(reader: DeclarationReader): Node;
  /** The fields (for controls: lanes) whose topology is written and could not be read. */
  unreadLanes(declaration: Node, reader: DeclarationReader): string[];
  /** The declaration with those topologies as they were when they could be read. */
  restoreLanes(declaration: Node, previous: Node, unread: readonly string[]): Node;
  /** The fields of a new declaration, in the order in which they are written. */
  write(declaration: Node, print: PrintFlow): FieldValue[];
  /** Its topologies in written order. */
  lanes(declaration: Node): Lane[];
  /** The names of the nodes in it, in written order, each once. */
  members(declaration: Node): string[];
  /** Names that it lists without a topology. */
  listedMembers(declaration: Node): readonly string[];
  /** What a search looks at, apart from the name. */
  searchFields(declaration: Node): SearchField[];
  /** The path to the DSL text of a lane in the flow file. */
  lanePath(lane: string): string[];
  /** What is wrong with it, apart from unknown and repeated names. */
  check(declaration: Node, checks: DeclarationChecks): DeclarationProblem[];
  /** What its card or frame shows. */
  card(declaration: Node): CardContent;
  /** What its frame on the canvas contains; null: it is a card. */
  content(declaration: Node): NodeContent | null;
}
