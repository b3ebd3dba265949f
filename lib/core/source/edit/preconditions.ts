import { isAlias } from "yaml";
import type { Edit, Scope } from "../../flow/edit";
import { namesOf } from "../../flow/expression";
import { type Flow, findDeclaration } from "../../flow/flow";
import { nameSchema } from "../../flow/schemas/flow-schemas";
import { containsDeclaration, toTypeText } from "../../kinds/members";
import { lanesOf } from "../../kinds/registry";
import type { SourceDocument } from "../read/source-document";
import { containerOf, findScopeEntry, graphOf, isWorkflow, ownerOf, topologyOf } from "../read/topology";
import type { YamlEntry } from "../yaml/yaml-nodes";
import { EditRefused, type EditTransaction } from "./edit-transaction";

/** Edits that only make sense where members have an order. */
const ordering: readonly Edit["type"][] = [
  "wrap-parallel",
  "wrap-serial",
  "extract-group",
  "extract-swarm",
  "wrap-control",
  "unwrap",
  "inline",
  "set-flow-text",
];

export function assertWorkflow({ flow }: SourceDocument, edit: Edit, scope: Scope): void {
  if (!ordering.includes(edit.type) || isWorkflow(flow, scope)) return;
  throw new EditRefused(
    "unsupported",
    `The members of a swarm of type ${containerOf(flow, scope)?.mode} have no order to change. Make it a workflow first, or change its members.`,
  );
}

export function assertScope(document: SourceDocument, scope: Scope): void {
  const { flow } = document;
  if (scope.type === "lane") {
    const control = flow.controls.get(scope.name);
    if (!control || !lanesOf(control).some(([lane]) => lane === scope.lane))
      throw new EditRefused("unknown-name", `There is no lane "${scope.lane}" in "${scope.name}" any more.`);
  } else if (scope.type !== "root" && !containerOf(flow, scope))
    throw new EditRefused("unknown-name", `There is no ${scope.type} "${scope.name}" any more.`);
  const entry = findScopeEntry(document, scope);
  if (entry) assertNotAliased(entry);
}

/** Refuses to change what an alias repeats: the change would be made in another place too. */
export function assertNotAliased({ key, pair }: YamlEntry): void {
  if (isAlias(pair.value))
    throw new EditRefused(
      "unsupported",
      `"${key}" shares its text with others through an alias. Write its own fields in the text first.`,
    );
}

export function assertDeclared(flow: Flow, names: readonly string[]): void {
  for (const name of names)
    if (!findDeclaration(flow, name)) throw new EditRefused("unknown-name", `There is no "${name}" in this flow.`);
}

/** Refuses an `after` that is not declared or cannot be a member of this scope. */
export function assertAfter({ flow }: SourceDocument, scope: Scope, after: string | undefined): void {
  if (after === undefined) return;
  const topology = topologyOf(flow, scope);
  if (graphOf(topology).has(after)) return;
  if (!findDeclaration(flow, after))
    throw new EditRefused("unknown-name", `There is no "${after}" in this flow to insert something after.`);
  assertNotNested(flow, scope, [after]);
}

/** Refuses names that would nest the owner of a scope in itself, or be in two lanes of one control. */
export function assertNotNested(flow: Flow, scope: Scope, names: readonly string[]): void {
  const owner = ownerOf(scope);
  if (owner === null) return;
  for (const name of names)
    if (name === owner || containsDeclaration(flow, name, owner))
      throw new EditRefused("cycle", `"${name}" cannot be in "${owner}": it ${name === owner ? "is" : "contains"} it.`);
  const control = scope.type === "lane" ? flow.controls.get(owner) : undefined;
  for (const [lane, expression] of control ? lanesOf(control) : []) {
    if (scope.type !== "lane" || lane === scope.lane || !expression) continue;
    const twice = namesOf(expression).find(({ name }) => names.includes(name));
    if (twice)
      throw new EditRefused(
        "duplicate-name",
        `"${twice.name}" is in the lane "${lane}" of "${owner}" already. Take it out there first, or add another agent.`,
      );
  }
}

/** `subject`: what messages call the name. */
export function assertValidName(name: string, subject = "The name"): void {
  const { error } = nameSchema.safeParse(name);
  if (error) throw new EditRefused("invalid-name", `${subject} ${error.issues[0]?.message ?? "is not valid"}.`);
}

export function assertFreeName(transaction: EditTransaction, name: string): void {
  assertValidName(name);
  const declaration = findDeclaration(transaction.document.flow, name);
  if (declaration)
    throw new EditRefused("name-taken", `There is ${toTypeText(declaration)} "${name}" already. Choose another name.`);
}
