import type { Document, Node } from "yaml";
import type { Flow, NodeType } from "../../flow/flow";
import type { Problem } from "../../flow/problem";
import type { TextRange } from "../../flow/text-range";
import type { YamlEntry } from "../yaml/yaml-nodes";
import type { SourceStructure } from "./source-structure";
import type { SourceTopology } from "./topology-site";

/** Where an agent, or whatever holds agents, is declared. */
export interface SourceDeclaration {
  type: NodeType;
  name: string;
  /** Missing for an agent of a list (`- name: a`). */
  entry?: YamlEntry;
  /** The node of its name. */
  nameNode: Node;
  /** Its value; null for `analyst:` without a value. */
  value: Node | null;
  entries: ReadonlyMap<string, YamlEntry>;
}

/** An unreadable range of a flow file. `flow` contains what was read there last. */
export interface UnreadableRange {
  range: TextRange;
  /** The name declared there: `null` is the root swarm; missing when it is unknown. */
  owner?: string | null;
  /** `form`: the whole declaration. `members`: a text that lists members. */
  type: "form" | "members";
}

/** What a flow file says, as plain data: it can be sent to a browser (`packReading`). */
export interface FlowReading {
  text: string;
  /** The flow of the file; unreadable ranges fall back to what was read before. */
  flow: Flow;
  /** In the order of the text; every range lies in `text`. */
  problems: readonly Problem[];
  /** The form is so broken that nothing can be read or changed: `flow` is the one that was read before. */
  broken: boolean;
  /** What cannot be read while the rest can, in the order of the text. */
  unreadableRanges: readonly UnreadableRange[];
  /** The text of the root's flow as it is written while it cannot be read; else null. */
  unreadRootFlow: string | null;
}

/** A flow file after reading, with the places of everything in it. */
export interface SourceDocument extends FlowReading {
  /** Resolves aliases. */
  yaml: Document;
  /** Top-level entries by key. */
  sections: ReadonlyMap<string, YamlEntry>;
  declarations: ReadonlyMap<string, SourceDeclaration>;
  /** By declared name; `null` is the root swarm. */
  topologies: ReadonlyMap<string | null, SourceTopology>;
  /** For reading the text again after a change. */
  structure: SourceStructure;
  /** Where `name` is declared, from its name to the end of its value. */
  rangeOf(name: string): TextRange | null;
  /** The declaration that holds the offset. */
  scopeAt(offset: number): string | null;
  /** The name at the offset, in a declaration or a topology. */
  nameAt(offset: number): string | null;
}

export const isSourceDocument = (reading: FlowReading): reading is SourceDocument => "structure" in reading;
