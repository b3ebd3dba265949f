import { printFlow } from "../../dsl/print";
import { fromGraph } from "../../dsl/series-parallel";
import type { Edit, Scope } from "../../flow/edit";
import type { Link } from "../../flow/graph";
import type { Problem, Repair } from "../../flow/problem";
import type { Swarm } from "../../kinds/swarm";
import { draftGraph } from "./topology";

/**
 * Why a swarm's drawing is only a draft, and the edits that mend it: each removes this problem. `nodes` are names inside
 * the swarm. Linear.
 */
export function explainDraft(swarm: Swarm, scope: Scope): Problem {
  const decomposition = fromGraph(draftGraph(swarm));
  const base = { code: "not-series-parallel", severity: "error" } as const;
  const repair = (type: "connect" | "disconnect", [source, target]: Link): Repair => ({
    title: `${type === "connect" ? "Add" : "Remove"} ${source} → ${target}`,
    edit: { type, scope, from: source, to: target },
  });
  if (decomposition.ok) {
    const edit: Edit = { type: "set-flow-text", scope, text: printFlow(decomposition.expression) };
    const message = "This drawing is kept as `edges:`. Write it as `flow:` to run it.";
    return { ...base, message, repairs: [{ title: "Write it as flow", edit }] };
  }
  switch (decomposition.reason) {
    case "empty":
      return { ...base, code: "empty-flow", message: "The drawing is empty." };
    case "cycle": {
      const shownNames = decomposition.nodes.slice(0, 5).join(", ");
      const message = `The drawing runs in a circle through ${shownNames}. Remove one of its links.`;
      return { ...base, code: "cycle", message, nodes: decomposition.nodes };
    }
    case "redundant-edge": {
      const message = `The link ${decomposition.edge.join(" → ")} adds nothing to a longer path. Remove it.`;
      return { ...base, message, nodes: decomposition.edge, repairs: [repair("disconnect", decomposition.edge)] };
    }
    case "not-series-parallel": {
      const [a, b, c, d] = decomposition.forbidden;
      const message = `${a} and ${b} lead to ${c}, but only ${b} leads to ${d}: no flow text can express that, so it waits as a draft and cannot run. To mend it, add the link ${decomposition.addEdge.join(" → ")} or remove ${decomposition.dropEdge.join(" → ")}.`;
      const repairs = [repair("connect", decomposition.addEdge), repair("disconnect", decomposition.dropEdge)];
      return { ...base, message, nodes: decomposition.forbidden, repairs };
    }
  }
}
