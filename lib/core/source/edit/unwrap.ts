import { printFlow } from "../../dsl/print";
import type { EditOf, Scope } from "../../flow/edit";
import { type Expression, joinExpressions, namesOf } from "../../flow/expression";
import type { SourceDocument } from "../read/source-document";
import { ownerOf, textKind, topologyOf } from "../read/topology";
import { readText } from "../yaml/yaml-nodes";
import { writeScope } from "./edit-topology";
import { EditRefused, type EditTransaction } from "./edit-transaction";
import { inline } from "./inline-group";

type CompositeExpression = Exclude<Expression, { type: "name" }>;

/**
 * Takes the innermost parentheses round members away: inside a serial they run one after another, inside a parallel at
 * once; a notice reports it. A single named group or nested workflow is inlined instead. The inverse of wrapping.
 */
export function unwrap(transaction: EditTransaction, { scope, names }: EditOf<"unwrap">): string[] {
  const { document } = transaction;
  const [only = ""] = names;
  if (names.length === 1 && (document.flow.groups.has(only) || document.flow.swarms.has(only)))
    return inline(transaction, { scope, name: only });
  const topology = topologyOf(document.flow, scope);
  if (topology && "draft" in topology)
    throw new EditRefused(
      "not-series-parallel",
      "A draft has no parentheses. Mend it first; its problem describes how.",
    );
  const missing = names.find(
    (name) => !topology || namesOf(topology.expression).every((member) => member.name !== name),
  );
  if (!topology || missing !== undefined)
    throw new EditRefused("not-reached", `"${missing}" is not in this part of the flow. Connect it first.`);
  const tree = topology.expression;
  const innermost = findInnermost(tree, new Set(names));
  const isWhole = innermost === tree;
  if (!innermost || (isWhole && (innermost.type === "serial" || textKind(document.flow, scope) !== "flow"))) {
    if (!hasExtraParentheses(document, scope, tree))
      throw new EditRefused("not-series-parallel", `There are no parentheses round ${list(names)} here.`);
    writeScope(transaction, scope, topology);
    return [...names];
  }
  const isParallel = innermost.type === "parallel";
  const innerNames = namesOf(innermost).map(({ name }) => name);
  const replacement = joinExpressions(isParallel ? "serial" : "parallel", innermost.members);
  writeScope(transaction, scope, { expression: replace(tree, innermost, replacement) });
  transaction.notice = isParallel
    ? `${list(innerNames)} ran at once and run one after another now.`
    : `${list(innerNames)} ran one after another and run at once now.`;
  return [...names];
}

/** The smallest serial or parallel that holds all of the names. */
function findInnermost(tree: Expression, names: ReadonlySet<string>): CompositeExpression | null {
  let innermost: CompositeExpression | null = null;
  for (let expression: Expression | undefined = tree; expression && expression.type !== "name"; ) {
    innermost = expression;
    expression = expression.members.find(
      (member) => namesOf(member).filter(({ name }) => names.has(name)).length === names.size,
    );
  }
  return innermost;
}

/** The tree with `oldExpression` replaced; members of the replacement are merged into an enclosing expression of its type. */
function replace(tree: Expression, oldExpression: Expression, replacement: Expression): Expression {
  if (tree === oldExpression) return replacement;
  if (tree.type === "name") return tree;
  return joinExpressions(
    tree.type,
    tree.members.map((member) => replace(member, oldExpression, replacement)),
  );
}

/** Whether a text has redundant parentheses: without them the meaning is the same. */
function hasExtraParentheses({ topologies, flow }: SourceDocument, scope: Scope, tree: Expression): boolean {
  const entry = topologies.get(ownerOf(scope))?.texts.get(scope.type === "lane" ? scope.lane : "flow");
  const count = (text: string): number => text.split("(").length;
  return count(readText(entry?.value ?? null) ?? "") > count(printFlow(tree, { as: textKind(flow, scope) }));
}

/** `a, b and c`, the first few. */
function list(names: readonly string[]): string {
  if (names.length < 2) return names.join("");
  const shownNames = names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} others`] : names;
  return `${shownNames.slice(0, -1).join(", ")} and ${shownNames.at(-1)}`;
}
