import type { SourceDocument } from "../read/source-document";
import { listsMembers } from "../read/topology-site";

/** Whether the file lists no members of the root swarm: then all agents are its members, in the order of the file. */
export function hasImpliedMembers({ sections, topologies, structure }: SourceDocument): boolean {
  const sourceTopology = topologies.get(null);
  if (sourceTopology) return !listsMembers(sourceTopology);
  // An unreadable chunk may contain the root swarm.
  return !sections.has("swarm") && structure.unreadableChunks.length === 0;
}
