import "server-only";
import type { Flow } from "@/lib/core/flow/flow";
import { type ReadingTurn, readFlowText } from "../../cpu-worker/read-flow-text";

/** How many flows are kept, and how long their sources are together, in UTF-16 units. */
const [mostFlows, mostUnits] = [50, 2_000_000];

interface CachedFlow {
  flow: Flow;
  units: number;
}

/** By the id of the revision, the one that was used last at the end. */
const flows = new Map<string, CachedFlow>();
let units = 0;

/** The flow of a revision, which never changes. Reading its source takes as long as storing dozens of its steps. */
export async function readRevision(id: string, source: string, turn: ReadingTurn): Promise<Flow> {
  const cached = flows.get(id) ?? { flow: (await readFlowText(source, {}, turn)).flow, units: source.length };
  if (!flows.delete(id)) units += cached.units;
  flows.set(id, cached);
  for (const [oldest, { units: freed }] of flows) {
    if (oldest === id || (flows.size <= mostFlows && units <= mostUnits)) break;
    flows.delete(oldest);
    units -= freed;
  }
  return cached.flow;
}
