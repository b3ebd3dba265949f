import { clip } from "../../../../flow/text-range";
import type { Findings } from "../imported";
import type { PythonEvaluator } from "./evaluator";
import { callMethod } from "./methods";
import { childrenOf, type PythonNode } from "./nodes";
import type { OrbiterConstructors } from "./pieces";
import { readExpression } from "./syntax";
import type { TextMaker } from "./texts";
import { findTouchedNames } from "./touched-names";
import { type PythonScope, type PythonValue, unknownAt } from "./value";

interface AssignmentsContext {
  text: string;
  findings: Findings;
  pieces: OrbiterConstructors;
  evaluator: PythonEvaluator;
  texts: TextMaker;
}

/** Binds names and changes what they are bound to. What cannot be followed leaves them unknown, or is reported. */
export class PythonAssignments {
  constructor(private readonly context: AssignmentsContext) {}

  /** `a = b = value`, `a: T = value`, `a, b = 1, 2`. False: a flow does not hold all of it. */
  assign(statement: PythonNode, scope: PythonScope): boolean {
    const groups = splitAt(childrenOf(statement), "AssignOp");
    const right = groups.length > 1 ? (groups.pop() ?? []) : [];
    if (right.length === 0) return true;
    const values = right.map((node) => this.#evaluate(node, scope));
    const [firstValue] = values;
    const value: PythonValue = firstValue && values.length === 1 ? firstValue : { type: "list", items: values };
    const isStored = groups.map((targets) => this.#store(targets, value, scope));
    return isStored.every(Boolean) && isKnown(value);
  }

  /** `a += value` */
  update(statement: PythonNode, scope: PythonScope): boolean {
    const [target, sign, right] = childrenOf(statement);
    if (!target || !sign || !right) return false;
    const { text, evaluator, findings, texts } = this.context;
    const isAddition = text.slice(sign.from, sign.to) === "+=";
    const [current, added] = [this.#evaluate(target, scope), this.#evaluate(right, scope)];
    const range = { from: statement.from, to: statement.to };
    if (current.type === "list" && isAddition) {
      const callArguments = [{ name: "", value: added, range }];
      callMethod({ receiver: current, name: "extend", callArguments, range, findings, texts });
      return !current.changedAt;
    }
    if (target.name !== "VariableName") {
      this.#change(target, scope);
      return false;
    }
    const value = isAddition ? evaluator.add([current, added], range) : unknownAt(range);
    scope.set(text.slice(target.from, target.to), value);
    return isKnown(value);
  }

  /** Takes nothing for known that these parts of the text may bind or change. */
  forget(regions: readonly PythonNode[], scope: PythonScope): void {
    this.forgetAssigned(regions, scope);
    for (const region of regions) {
      const { changed, called } = findTouchedNames(region, this.context.text);
      for (const name of [...changed, ...called]) this.#spoil(scope.find(name), region);
      for (const name of changed) {
        const value = scope.find(name);
        if (value?.type === "piece") this.#loseChange(name, region);
      }
    }
  }

  /** Takes nothing for known that these parts of the text may bind. */
  forgetAssigned(regions: readonly PythonNode[], scope: PythonScope): void {
    for (const region of regions) {
      const { assigned, imported } = findTouchedNames(region, this.context.text);
      for (const name of assigned) scope.set(name, unknownAt(region));
      for (const name of imported) scope.set(name, unknownAt(region, name));
    }
  }

  /** The names after `as` in the head of a `with`. */
  forgetTargets(statement: PythonNode, scope: PythonScope): void {
    const children = childrenOf(statement);
    for (const [index, child] of children.entries())
      if (children[index - 1]?.name === "as" && child.name === "VariableName")
        scope.set(this.context.text.slice(child.from, child.to), unknownAt(child));
  }

  #evaluate = (node: PythonNode, scope: PythonScope): PythonValue =>
    this.context.evaluator.evaluate(readExpression(node, this.context.text), scope);

  #store(targets: readonly PythonNode[], value: PythonValue, scope: PythonScope): boolean {
    const [target, ...otherTargets] = targets;
    if (!target) return false;
    const unpackedTargets = /^(?:Tuple|Array|Parenthesized)Expression$/.test(target.name)
      ? withoutBrackets(target)
      : targets;
    if (otherTargets.length > 0 || unpackedTargets !== targets) return this.#storeEach(unpackedTargets, value, scope);
    if (target.name === "VariableName") {
      const name = this.context.text.slice(target.from, target.to);
      if (value.type === "piece") this.context.pieces.nameAfter(value.piece, name);
      scope.set(name, value);
      return true;
    }
    return this.#storePart(target, value, scope);
  }

  #storeEach(targets: readonly PythonNode[], value: PythonValue, scope: PythonScope): boolean {
    const items = value.type === "list" && !value.changedAt && value.items.length === targets.length ? value.items : [];
    const isStored = targets.map((target, index) => this.#store([target], items[index] ?? unknownAt(target), scope));
    return items.length > 0 && isStored.every(Boolean);
  }

  /** `agent.field = value`, `agent.handoffs["b"] = b`, `prompts["a"] = text` */
  #storePart(target: PythonNode, value: PythonValue, scope: PythonScope): boolean {
    const { text, pieces, evaluator } = this.context;
    const expression = readExpression(target, text);
    if (expression.type !== "member" && expression.type !== "index") return false;
    const owner = evaluator.ownerOf(expression, scope);
    const field = expression.type === "index" ? expression.object : expression;
    const isField = field.type === "member" && field.object.type === "name";
    if (owner && isField && (expression.type === "member" || field.name === "handoffs")) {
      if (pieces.assign(owner, { name: field.name, value, range: { from: target.from, to: target.to } })) return true;
    } else if (expression.type === "index" && !owner) {
      const object = evaluator.evaluate(expression.object, scope);
      const key = evaluator.evaluate(expression.key, scope);
      if (object.type === "dict" && key.type === "text") object.entries.push([key, value]);
      else this.#spoil(object, target);
      return object.type === "dict" && key.type === "text";
    }
    this.#change(target, scope);
    return false;
  }

  /** A change of something that `target` is a part of. */
  #change(target: PythonNode, scope: PythonScope): void {
    const expression = readExpression(target, this.context.text);
    const owner = this.context.evaluator.ownerOf(expression, scope);
    if (owner) this.#loseChange(owner.name ?? "swarm", target);
    else if (expression.type === "index") this.#spoil(this.#evaluate(target.firstChild ?? target, scope), target);
  }

  #loseChange(owner: string, { from: start, to: end }: PythonNode): void {
    this.context.findings.quarantine(`a change of "${clip(owner)}"`, { from: start, to: end }, { effect: "lost" });
  }

  #spoil(value: PythonValue | undefined, { from: start, to: end }: PythonNode): void {
    if (value?.type === "list" || value?.type === "dict") value.changedAt ??= { from: start, to: end };
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

const withoutBrackets = (node: PythonNode): PythonNode[] =>
  childrenOf(node).filter(({ name }) => !/^[[\](),]$/.test(name));

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
