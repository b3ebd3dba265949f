import { clip } from "../../../../flow/text-range";
import { extendList } from "./calls";
import type { PythonEvaluator } from "./evaluator";
import { childrenOf, operandsOf, type PythonNode, readMemberAccess, rootOf, textOf } from "./nodes";
import type { PythonContext } from "./python-context";
import { itemsOf, type PythonScope, type PythonValue, unknownAt } from "./value";

/** Binds names and changes what they are bound to. What cannot be followed leaves them unknown, or is reported. */
export class PythonAssignments {
  constructor(
    private readonly context: PythonContext,
    private readonly evaluator: PythonEvaluator,
  ) {}

  /** `a = b = value`, `a: T = value`, `a, b = 1, 2`. False: a flow does not hold all of it. */
  assign(statement: PythonNode, scope: PythonScope): boolean {
    const groups = splitAt(childrenOf(statement), "AssignOp");
    const right = groups.length > 1 ? (groups.pop() ?? []) : [];
    if (right.length === 0) return true;
    const values = right.map((node) => this.evaluator.evaluate(node, scope));
    const [firstValue] = values;
    const value: PythonValue = firstValue && values.length === 1 ? firstValue : { type: "list", items: values };
    const isStored = groups.map((targets) => this.#store(targets, value, scope));
    return isStored.every(Boolean) && isKnown(value);
  }

  /** `a += value` */
  update(statement: PythonNode, scope: PythonScope): boolean {
    const [target, sign, right] = childrenOf(statement);
    if (!target || !sign || !right) return false;
    const { text } = this.context;
    const isAddition = textOf(sign, text) === "+=";
    const [current, added] = [this.evaluator.evaluate(target, scope), this.evaluator.evaluate(right, scope)];
    if (current.type === "list" && isAddition) {
      extendList(current, itemsOf(added), statement);
      return !current.changedAt;
    }
    if (target.name !== "VariableName") {
      this.#change(target, scope);
      return false;
    }
    const value = isAddition ? this.evaluator.add([current, added], statement) : unknownAt(statement);
    scope.set(textOf(target, text), value);
    return isKnown(value);
  }

  /** Takes nothing for known that these regions of the text may bind, or unless `onlyBound` change. */
  forget(regions: readonly PythonNode[], scope: PythonScope, { onlyBound = false } = {}): void {
    for (const region of regions) {
      const { assigned, imported, changed, called } = findTouchedNames(region, this.context.text);
      for (const name of assigned) scope.set(name, unknownAt(region));
      for (const name of imported) scope.set(name, unknownAt(region, name));
      if (onlyBound) continue;
      for (const name of [...changed, ...called]) this.#spoil(scope.find(name), region);
      for (const name of changed) if (scope.find(name)?.type === "orbiter-node") this.#loseChange(name, region);
    }
  }

  /** The names that the head of a statement binds, such as those after `as` in a `with`. */
  forgetTargets(statement: PythonNode, scope: PythonScope): void {
    for (const target of targetsOf(statement))
      if (target.name === "VariableName") scope.set(textOf(target, this.context.text), unknownAt(target));
  }

  #store(targets: readonly PythonNode[], value: PythonValue, scope: PythonScope): boolean {
    const [target, ...otherTargets] = targets;
    if (!target) return false;
    if (otherTargets.length > 0) return this.#storeEach(targets, value, scope);
    if (isUnpacking(target)) return this.#storeEach(operandsOf(target), value, scope);
    if (target.name !== "VariableName") return this.#storeMember(target, value, scope);
    this.evaluator.bind(target, value, scope);
    return true;
  }

  #storeEach(targets: readonly PythonNode[], value: PythonValue, scope: PythonScope): boolean {
    const items = itemsOf(value);
    const isMatch = items?.length === targets.length;
    const isStored = targets.map((target, index) =>
      this.#store([target], (isMatch && items[index]) || unknownAt(target), scope),
    );
    return isMatch && items.length > 0 && isStored.every(Boolean);
  }

  /** `agent.field = value`, `agent.handoffs["b"] = b`, `prompts["a"] = text` */
  #storeMember(target: PythonNode, value: PythonValue, scope: PythonScope): boolean {
    const { text, nodes } = this.context;
    const access = readMemberAccess(target, text);
    const owner = access && this.evaluator.ownerOf(target, scope);
    if (access?.key && !owner) {
      const object = this.evaluator.evaluate(access.object, scope);
      const key = this.evaluator.evaluate(access.key, scope);
      const isKnownEntry = object.type === "dict" && key.type === "text";
      if (isKnownEntry) object.entries.push([key, value]);
      else this.#spoil(object, target);
      return isKnownEntry;
    }
    const field = access?.key ? readMemberAccess(access.object, text) : access;
    if (owner && field?.name !== undefined && field.object.name === "VariableName")
      if (!access.key || field.name === "handoffs")
        if (nodes.assign(owner, { name: field.name, value, range: target })) return true;
    this.#change(target, scope);
    return false;
  }

  /** A change of something that `target` is a member of. */
  #change(target: PythonNode, scope: PythonScope): void {
    const owner = this.evaluator.ownerOf(target, scope);
    if (owner) this.#loseChange(owner.name ?? "swarm", target);
    else if (target.lastChild?.name === "]")
      this.#spoil(this.evaluator.evaluate(target.firstChild ?? target, scope), target);
  }

  #loseChange(owner: string, range: PythonNode): void {
    this.context.findings.quarantine(`a change of "${clip(owner)}"`, range, { effect: "lost" });
  }

  #spoil(value: PythonValue | undefined, range: PythonNode): void {
    if (value?.type === "list" || value?.type === "dict") value.changedAt ??= range;
  }
}

/** The nodes between signs of one kind, without commas and types. */
function splitAt(nodes: readonly PythonNode[], sign: string): PythonNode[][] {
  const groups: PythonNode[][] = [[]];
  for (const node of nodes) {
    if (node.name === sign) groups.push([]);
    else if (node.name !== "," && node.name !== "TypeDef") groups.at(-1)?.push(node);
  }
  return groups;
}

/** Whether nothing in it would have to be run. */
function isKnown(value: PythonValue): boolean {
  const waiting = new Set([value]);
  for (const next of waiting) {
    if (next.type === "unknown") return false;
    if (next.type === "list") for (const item of next.items) waiting.add(item);
    if (next.type === "dict") for (const [, item] of next.entries) waiting.add(item);
  }
  return true;
}

/** What a region of a text that is not read may do to names. */
interface TouchedNames {
  /** Names that it may bind to something else. */
  assigned: Set<string>;
  /** Names that it may import. */
  imported: Set<string>;
  /** Names of which it may change what they are bound to: `name.field = …`, `name["key"] = …`. */
  changed: Set<string>;
  /** Names of which it calls a method that may change them. */
  called: Set<string>;
}

/**
 * Statements and expressions that bind names, and after which of their tokens the names end: none where all of it is
 * bound. With `as`, what follows each `as` is bound.
 */
const bindingEnds: ReadonlyMap<string, readonly string[]> = new Map([
  ["AssignStatement", ["AssignOp", "TypeDef"]],
  ["UpdateStatement", ["UpdateOp"]],
  ["NamedExpression", ["AssignOp"]],
  ["ForStatement", ["in"]],
  ["FunctionDefinition", ["ParamList"]],
  ["ClassDefinition", ["ArgList", "Body"]],
  ["WithStatement", ["as"]],
  ["TryStatement", ["as"]],
  ["CapturePattern", []],
  ["DeleteStatement", []],
]);

function findTouchedNames(region: PythonNode, text: string): TouchedNames {
  const touched: TouchedNames = { assigned: new Set(), imported: new Set(), changed: new Set(), called: new Set() };
  const take = (target: PythonNode): void => {
    if (target.name === "VariableName") touched.assigned.add(textOf(target, text));
    else if (target.name === "MemberExpression") touched.changed.add(textOf(rootOf(target), text));
    else if (isUnpacking(target)) for (const child of childrenOf(target)) take(child);
  };
  region.cursor().iterate(({ name, node }) => {
    if (name === "LambdaExpression") return false;
    for (const target of targetsOf(node)) take(target);
    if (name === "ImportStatement")
      for (const child of node.getChildren("VariableName")) touched.imported.add(textOf(child, text));
    const callee = name === "CallExpression" ? node.firstChild : null;
    if (callee?.name === "MemberExpression") touched.called.add(textOf(rootOf(callee), text));
    return name !== "FunctionDefinition" && name !== "ClassDefinition";
  });
  return touched;
}

/** Whether it is a target such as `a, b` or `[a, b]`. */
const isUnpacking = ({ name }: PythonNode): boolean => /^(?:Tuple|Array|Parenthesized)Expression$/.test(name);

/** What a statement or expression binds, apart from what is in it: the nodes before its last sign, after `as`, and the like. */
function targetsOf(node: PythonNode): PythonNode[] {
  const ends = bindingEnds.get(node.name);
  const children = ends ? childrenOf(node) : [];
  if (ends?.length === 0) return children;
  if (ends?.includes("as")) return children.filter((_, index) => children[index - 1]?.name === "as");
  const end = children.findLastIndex(({ name }) => ends?.includes(name));
  return children.slice(0, Math.max(0, end));
}
