import type { VariableValue } from "../../flow/field-variables";
import { type Declaration, nameSchema } from "../../flow/flow";
import type { Problem } from "../../flow/problem";
import type { NodeKind } from "../../kinds/node-kind";
import { type Swarm, swarmKind } from "../../kinds/swarm";
import type { Entry } from "../yaml/yaml-nodes";
import { DeclarationFields } from "./declaration-fields";
import type { Reading } from "./entry-reader";
import type { TopologySite } from "./topology-site";

/** What reading one declaration yields. Ranges are counted from the start of its chunk. */
export interface Found {
  /** Null: its name is not valid. */
  declaration: Declaration | null;
  /** Its lists and texts of members; null for an agent. */
  site: TopologySite | null;
  /** The lanes whose member texts cannot be read. */
  unread: readonly string[];
  problems: readonly Problem[];
  /** The variables that it looks up, with their values at that time. */
  lookedUp?: ReadonlyMap<string, VariableValue | undefined>;
}

/** Reads one declaration. Whatever is wrong with it is a problem; the remaining fields are read. */
export function readDeclaration(kind: NodeKind, entry: Entry, reading: Reading): Found {
  const { problems } = reading;
  const valid = nameSchema.safeParse(entry.key);
  if (!valid.success) {
    const reason = valid.error.issues[0]?.message ?? "is not valid";
    const message = `The name of ${kind.type} "${entry.key.slice(0, 60)}" ${reason}.`;
    reading.report("invalid-name", "error", message, entry.keyNode);
    return { declaration: null, site: null, unread: [], problems };
  }
  const fields = DeclarationFields.of(kind, { name: entry.key, title: kind.title(entry.key), entry, reading });
  const declaration = kind.read(fields);
  const unread = kind.unreadLanes(declaration, fields);
  return { declaration, site: kind.isContainer || kind.isControl ? fields.site : null, unread, problems };
}

/** Reads the root swarm. Its name is empty. */
export function readRootSwarm(
  entry: Entry,
  reading: Reading,
): { declaration: Swarm; site: TopologySite; unread: string[] } {
  const fields = DeclarationFields.of(swarmKind, { name: "", title: "The root swarm", entry, reading });
  const declaration = swarmKind.read(fields);
  return { declaration, site: fields.site, unread: swarmKind.unreadLanes(declaration, fields) };
}

export const byKey = (entries: readonly Entry[]): Map<string, Entry> =>
  new Map(entries.map((entry) => [entry.key, entry]));
