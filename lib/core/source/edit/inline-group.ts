import { namesIn } from "../../condition/condition";
import { parseCondition } from "../../condition/parse";
import { toGraph } from "../../dsl/series-parallel";
import { type EditOf, movePins, type Scope } from "../../flow/edit";
import { containsParallel, type Expression, namesOf, replaceName } from "../../flow/expression";
import type { Flow } from "../../flow/flow";
import type { Graph } from "../../flow/graph";
import { namePlaces } from "../../flow/template-variables";
import type { Group } from "../../kinds/group";
import { isGroup, textsOf } from "../../kinds/members";
import { kindOf } from "../../kinds/registry";
import type { Swarm } from "../../kinds/swarm";
import { containerOf, graphOf, ownerOf, separatorOf, type Topology, topologyOf, toTopology } from "../read/topology";
import { isBlank } from "../yaml/yaml-nodes";
import { isUsed, removeDeclaration } from "./edit-declarations";
import { writeScope } from "./edit-topology";
import { EditRefused, type EditTransaction } from "./edit-transaction";
import { assertNotNested } from "./preconditions";

/**
 * Replaces a named group or nested workflow by its contents, and removes its declaration when nothing else uses it.
 * Every link stays. Refused where the members would come to mean something else.
 */
export function inline(transaction: EditTransaction, { scope, name }: Omit<EditOf<"inline">, "type">): string[] {
  const { flow } = transaction.document;
  const { container, contents } = assertInlinable(flow, name);
  const topology = topologyOf(flow, scope);
  const graph = graphOf(topology);
  if (!topology || !graph.has(name))
    throw new EditRefused(
      "not-reached",
      `"${name}" is not in this part of the flow, so it cannot be written out here.`,
    );
  const members = namesOf(contents).map((member) => member.name);
  const twice = members.find((member) => graph.has(member));
  if (twice !== undefined)
    throw new EditRefused(
      "duplicate-name",
      `"${twice}" is next to "${name}" already, and a name can be used once in a place. Move it, or declare another agent.`,
    );
  assertNotNested(flow, scope, members);
  assertSameMeaning(flow, scope, topology, { container, contents });
  writeScope(transaction, scope, writeOut(topology, name, contents));
  transaction.layout = movePins(transaction.layout, (key) => withoutContainer(key, ownerOf(scope), name));
  removeIfUnused(transaction, name);
  if (!isGroup(container))
    transaction.notice = `The members of "${name}" now see the conversation so far; inside it they began afresh.`;
  return members;
}

interface Inlinable {
  container: Group | Swarm;
  contents: Expression;
}

function assertInlinable(flow: Flow, name: string): Inlinable {
  const container = flow.groups.get(name) ?? flow.swarms.get(name);
  if (!container)
    throw new EditRefused("unknown-name", `"${name}" is no group and no swarm: there is nothing to write out.`);
  if (!isGroup(container) && container.mode !== "workflow")
    throw new EditRefused(
      "unsupported",
      `"${name}" is a ${container.mode} swarm: its members have no order that could be written out. Make it a workflow first.`,
    );
  if (!container.flow)
    throw new EditRefused("unsupported", `"${name}" has no flow that could be written out. Mend it first.`);
  return { container, contents: container.flow };
}

/** Refuses what would join the answers otherwise, or treat a failure otherwise. */
function assertSameMeaning(flow: Flow, scope: Scope, topology: Topology, { container, contents }: Inlinable): void {
  if (containsParallel(contents) && container.separator !== separatorOf(flow, scope))
    throw new EditRefused(
      "unsupported",
      `"${container.name}" joins its answers with another separator than its place in the flow. Give both the same one first.`,
    );
  const continuesOnError = (candidate: Group | Swarm | null): boolean =>
    candidate !== null && "on_error" in candidate && candidate.on_error === "continue";
  const outer = containerOf(flow, scope);
  const merges =
    contents.type === "parallel" &&
    topology !== null &&
    "expression" in topology &&
    topology.expression.type === "parallel";
  if ((continuesOnError(container) && contents.type === "parallel") || (continuesOnError(outer) && merges))
    throw new EditRefused(
      "unsupported",
      `In "${continuesOnError(container) ? container.name : outer?.name}" the others go on when one fails (on_error: continue), which plain parentheses cannot express.`,
    );
}

function writeOut(topology: Exclude<Topology, null>, name: string, contents: Expression): Topology {
  if ("expression" in topology) return { expression: replaceName(topology.expression, name, contents) };
  return toTopology(insertGraph(topology.draft, name, toGraph(contents))).topology;
}

/** A drawing in which another one takes the place of a node, with the node's links. */
function insertGraph(graph: Graph, name: string, contents: Graph): Graph {
  const [before, after] = [graph.predecessors(name), graph.successors(name)];
  graph.removeNode(name);
  for (const node of contents.nodes) graph.addNode(node);
  for (const edge of contents.edges) graph.addEdge(...edge);
  for (const node of contents.nodes) {
    if (contents.inDegree(node) === 0) for (const predecessor of before) graph.addEdge(predecessor, node);
    if (contents.successors(node).length === 0) for (const successor of after) graph.addEdge(node, successor);
  }
  return graph;
}

/** The names of a key without the part that was written out; null for the key of that part itself. */
function withoutContainer(key: readonly string[], owner: string | null, name: string): readonly string[] | null {
  const containerIndex = key.findIndex((keyName, index) => keyName === name && (key[index - 1] ?? null) === owner);
  if (containerIndex < 0) return key;
  return containerIndex === key.length - 1 ? null : key.toSpliced(containerIndex, 1);
}

/** Takes the declaration of a part away unless it is used; a section that is empty then goes too. */
function removeIfUnused(transaction: EditTransaction, name: string): void {
  const { flow } = transaction.document;
  if (isUsed(transaction.document, name)) return;
  if (isLookedUp(flow, name))
    throw new EditRefused(
      "unsupported",
      `The output of "${name}" is used elsewhere (outputs.${name}), so it has to keep its name. Change that first.`,
    );
  const key = flow.groups.has(name) ? "groups" : "swarms";
  removeDeclaration(transaction, name);
  const section = transaction.document.sections.get(key);
  if (section && isBlank(section.value)) transaction.apply([transaction.editor.remove(null, section)]);
}

/** Whether instructions or conditions name the output of `name`. */
function isLookedUp({ agents, controls }: Flow, name: string): boolean {
  const inText = (text: string): boolean => namePlaces(text, "outputs").some((reference) => reference.name === name);
  const inCondition = (text: string): boolean => {
    const { expression } = parseCondition(text);
    return expression
      ? namesIn(expression).some((reference) => reference.scope === "outputs" && reference.name === name)
      : false;
  };
  return [...agents.values(), ...controls.values()].some((declaration) => {
    const { promptFields, conditionFields } = kindOf(declaration);
    return textsOf(declaration, promptFields).some(inText) || textsOf(declaration, conditionFields).some(inCondition);
  });
}
