import type { VariableValue } from "../../flow/field-variables";
import type { Declaration } from "../../flow/flow";
import type { Problem } from "../../flow/problem";
import { nameSchema } from "../../flow/schemas/flow-schemas";
import type { NodeKind } from "../../kinds/node-kind";
import { swarmKind } from "../../kinds/swarm";
import type { YamlEntry } from "../yaml/yaml-nodes";
import { DeclarationFields } from "./declaration-fields";
import type { EntryReader } from "./entry-reader";
import type { SourceTopology } from "./topology-site";

/** What reading one declaration yields. Ranges are counted from the start of its chunk. */
export interface DeclarationResult {
  /** Null: its name is not valid. */
  declaration: Declaration | null;
  /** Its lists and texts of members; null for an agent. */
  topology: SourceTopology | null;
  /** The lanes whose member texts cannot be read. */
  unreadLanes: readonly string[];
  problems: readonly Problem[];
  /** The variables that it looks up, with their values at that time. */
  usedVariables?: ReadonlyMap<string, VariableValue | undefined>;
}

/** Reads one declaration. Whatever is wrong with it is a problem; the remaining fields are read. */
export function readDeclaration(kind: NodeKind, entry: YamlEntry, reading: EntryReader): DeclarationResult {
  const { problems } = reading;
  const valid = nameSchema.safeParse(entry.key);
  if (!valid.success) {
    const reason = valid.error.issues[0]?.message ?? "is not valid";
    const message = `The name of ${kind.type} "${entry.key.slice(0, 60)}" ${reason}.`;
    reading.report("invalid-name", "error", message, entry.keyNode);
    return { declaration: null, topology: null, unreadLanes: [], problems };
  }
  const fields = DeclarationFields.of(kind, { name: entry.key, title: kind.title(entry.key), entry, reading });
  const declaration = kind.read(fields);
  const unreadLanes = kind.unreadLanes(declaration, fields);
  return { declaration, topology: kind.isContainer || kind.isControl ? fields.site : null, unreadLanes, problems };
}

/** Reads the root swarm. Its name is empty. */
export function readRootSwarm(
  entry: YamlEntry,
  reading: EntryReader,
): DeclarationResult & { topology: SourceTopology } {
  const fields = DeclarationFields.of(swarmKind, { name: "", title: "The root swarm", entry, reading });
  const declaration = swarmKind.read(fields);
  const unreadLanes = swarmKind.unreadLanes(declaration, fields);
  return { declaration, topology: fields.site, unreadLanes, problems: reading.problems };
}
