import { printFlow } from "../../dsl/print";
import type { Scope } from "../../flow/edit";
import { type Expression, namesOf, parallelExpression, serialExpression } from "../../flow/expression";
import type { SourceDocument } from "../read/source-document";
import { ownerOf, textKind, topologyOf } from "../read/topology";
import { readText } from "../yaml/yaml-nodes";
import { writeScope } from "./edit-topology";
import { EditRefused, type EditTransaction } from "./edit-transaction";
import { inline } from "./inline-group";

type CompositeExpression = Exclude<Expression, { type: "name" }>;

/**
 * Takes the innermost parentheses round members away: inside a serial they run one after another, inside a parallel at
 * once; a notice says so. One named group or nested workflow is written out instead. Undoes what wrapping did.
 */
export function unwrap(changing: EditTransaction, scope: Scope, names: readonly string[]): string[] {
  const { document } = changing;
  const [only = ""] = names;
  if (names.length === 1 && (document.flow.groups.has(only) || document.flow.swarms.has(only)))
    return inline(changing, scope, only);
  const topology = topologyOf(document.flow, scope);
  if (topology && "draft" in topology)
    throw new EditRefused("not-series-parallel", "A draft has no parentheses. Mend it first; its problem says how.");
  const missing = names.find((name) => !topology || namesOf(topology.expression).every((one) => one.name !== name));
  if (!topology || missing !== undefined)
    throw new EditRefused("not-reached", `"${missing}" is not in this part of the flow. Connect it first.`);
  const tree = topology.expression;
  const found = findInnermost(tree, new Set(names));
  const isWhole = found === tree;
  if (!found || (isWhole && (found.type === "serial" || scope.type === "group"))) {
    if (!hasExtraParentheses(document, scope, tree))
      throw new EditRefused("not-series-parallel", `No parentheses stand round ${list(names)} here.`);
    writeScope(changing, scope, topology);
    return [...names];
  }
  const isParallel = found.type === "parallel";
  const inner = namesOf(found).map(({ name }) => name);
  const join = isParallel ? serialExpression : parallelExpression;
  writeScope(changing, scope, { expression: replace(tree, found, join(found.members)) });
  changing.notice = isParallel
    ? `${list(inner)} ran at once and run one after another now.`
    : `${list(inner)} ran one after another and run at once now.`;
  return [...names];
}

/** The smallest serial or parallel that holds all of the names. */
function findInnermost(tree: Expression, names: ReadonlySet<string>): CompositeExpression | null {
  let found: CompositeExpression | null = null;
  for (let part: Expression | undefined = tree; part && part.type !== "name"; ) {
    found = part;
    part = part.members.find((member) => namesOf(member).filter(({ name }) => names.has(name)).length === names.size);
  }
  return found;
}

/** The tree with `by` where `part` stood, whose members become members of what stands round it. */
function replace(tree: Expression, part: Expression, by: Expression): Expression {
  if (tree === part) return by;
  if (tree.type === "name") return tree;
  const members = tree.members.map((member) => replace(member, part, by));
  return tree.type === "serial" ? serialExpression(members) : parallelExpression(members);
}

/** Whether a text has parentheses that say nothing: taking them away keeps the meaning. */
function hasExtraParentheses({ topologies, flow }: SourceDocument, scope: Scope, tree: Expression): boolean {
  const entry = topologies.get(ownerOf(scope))?.texts.get(scope.type === "lane" ? scope.lane : "flow");
  const count = (text: string): number => text.split("(").length;
  return count(readText(entry?.value ?? null) ?? "") > count(printFlow(tree, { as: textKind(flow, scope) }));
}

/** `a, b and c`, the first few. */
function list(names: readonly string[]): string {
  if (names.length < 2) return names.join("");
  const shown = names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} others`] : names;
  return `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
