import type { Control, DeclarationTypes, NodeType } from "@/lib/core/flow/flow";
import { agentView } from "./agent";
import { approvalView } from "./approval";
import { branchView } from "./branch";
import { groupView } from "./group";
import type { InsertEntry, KindView } from "./kind-view";
import { loopView } from "./loop";
import { routerView } from "./router";
import { swarmView } from "./swarm";

/** How the app shows each kind of node, in the order in which they are offered to the user. */
export const builtInViews = {
  agent: agentView,
  branch: branchView,
  router: routerView,
  loop: loopView,
  approval: approvalView,
  group: groupView,
  swarm: swarmView,
} satisfies { readonly [Type in NodeType]?: KindView<DeclarationTypes[Type]> };

const viewsByType = new Map<string, KindView>(Object.entries<KindView>(builtInViews));

/** The counterpart of `registerNodeKind` in lib/core/kinds. */
export const registerKindView = (type: string, view: KindView): void => void viewsByType.set(type, view);

/** Undefined for `unknown`: a name that is used and not declared. */
export const findKindView = (type: string): KindView | undefined => viewsByType.get(type);

/** `Parallel group`, `Agent`; the icon of the mode. `short`: where there is little room, `Parallel`. */
export function describeKind({ type, mode = "" }: { type: string; mode?: string | undefined }) {
  const view = findKindView(type);
  const modeView = view?.modes?.[mode];
  const label = modeView?.label ?? view?.label ?? "Unknown";
  return { label, short: modeView?.short ?? label, icon: modeView?.icon ?? view?.icon };
}

export const listInsertEntries = (): InsertEntry[] => [...viewsByType.values()].flatMap(({ inserts }) => inserts);

const isControlType = (type: string): type is Control["type"] => findKindView(type)?.createControl !== undefined;
export const listControlTypes = (): Control["type"][] => [...viewsByType.keys()].filter(isControlType);
