import type { Document, Node } from "yaml";
import type { Flow, NodeType } from "../../flow/flow";
import type { Problem } from "../../flow/problem";
import type { Range } from "../../flow/text-range";
import type { YamlEntry } from "../yaml/yaml-nodes";
import type { SourceStructure } from "./source-structure";
import type { SourceTopology } from "./topology-site";

/** Where an agent, or whatever holds agents, is declared. */
export interface SourceDeclaration {
  type: NodeType;
  name: string;
  /** Missing for an agent of a list (`- name: a`). */
  entry?: YamlEntry;
  /** Where its name stands. */
  nameNode: Node;
  /** Its value; null for `analyst:` with nothing behind it. */
  value: Node | null;
  entries: ReadonlyMap<string, YamlEntry>;
}

/** A stretch of a flow file that cannot be read. `flow` says of it what was read there last. */
export interface UnreadableRange {
  range: Range;
  /** What is declared there: `null` is the root swarm; missing when nobody can tell. */
  owner?: string | null;
  /** `form`: nothing of it can be read. `members`: a text that says who its members are. */
  type: "form" | "members";
}

/** A flow file, read: what it says, what is wrong with it, and where everything stands. */
export interface SourceDocument {
  text: string;
  /** What the file says; for what cannot be read, what it said when it was read before. */
  flow: Flow;
  /** In the order of the text; every range lies in `text`. */
  problems: readonly Problem[];
  /** The form is so broken that nothing can be read or changed: `flow` is the one that was read before. */
  broken: boolean;
  /** What cannot be read while the rest can, in the order of the text. */
  unreadableRanges: readonly UnreadableRange[];
  /** What aliases stand for is found with it. */
  yaml: Document;
  /** Top-level entries by key. */
  sections: ReadonlyMap<string, YamlEntry>;
  declarations: ReadonlyMap<string, SourceDeclaration>;
  /** By declared name; `null` is the root swarm. */
  topologies: ReadonlyMap<string | null, SourceTopology>;
  /** For reading the text again after a change. */
  structure: SourceStructure;
  /** Where `name` is declared, from its name to the end of its value. */
  rangeOf(name: string): Range | null;
  /** The declaration that holds the offset. */
  scopeAt(offset: number): string | null;
  /** The name that stands at the offset, in a declaration or a topology. */
  nameAt(offset: number): string | null;
}
