import type { EditOf } from "../../flow/edit";
import { joinExpressions, nameExpression, namesOf, replaceName } from "../../flow/expression";
import { graphOf, type Topology, toTopology } from "../read/topology";

/** A position next to a member of a topology. */
type MemberPosition = NonNullable<EditOf<"move-member">["at"]>;

/** The topology with `name` next to a member. */
export function insertAt(topology: Topology, name: string, { member, side }: MemberPosition): Topology {
  if (topology && "expression" in topology && namesOf(topology.expression).some((node) => node.name === member)) {
    const pair = (side === "before" ? [name, member] : [member, name]).map((node) => nameExpression(node));
    const replacement = joinExpressions(side === "beside" ? "parallel" : "serial", pair);
    return { expression: replaceName(topology.expression, member, replacement) };
  }
  const graph = graphOf(topology);
  graph.addNode(member);
  graph.addNode(name);
  const [before, after] = [graph.predecessors(member), graph.successors(member)];
  if (side !== "before") for (const successor of after) graph.addEdge(name, successor);
  if (side !== "after") for (const predecessor of before) graph.addEdge(predecessor, name);
  if (side === "after") {
    for (const successor of after) graph.removeEdge(member, successor);
    graph.addEdge(member, name);
  }
  if (side === "before") {
    for (const predecessor of before) graph.removeEdge(predecessor, member);
    graph.addEdge(name, member);
  }
  return toTopology(graph).topology;
}

/** The topology with `name` after all members; in a draft it is linked to every last step. */
export function appendTo(topology: Topology, name: string): Topology {
  if (!topology || "expression" in topology) return insertLast(topology, name, "serial");
  const { draft } = topology;
  const linked = draft.nodes.filter((node) => draft.inDegree(node) + draft.successors(node).length > 0);
  const lastSteps = linked.filter((node) => draft.successors(node).length === 0);
  draft.addNode(name);
  for (const step of lastSteps) draft.addEdge(step, name);
  return toTopology(draft).topology;
}

/** The topology with `name` after all members, or in parallel with them; a draft gets no links. */
export function insertLast(topology: Topology, name: string, type: "serial" | "parallel"): Topology {
  const added = nameExpression(name);
  if (!topology) return { expression: added };
  if ("expression" in topology) return { expression: joinExpressions(type, [topology.expression, added]) };
  topology.draft.addNode(name);
  return toTopology(topology.draft).topology;
}
