import { clip, type TextRange } from "../../../../flow/text-range";
import type { OrbiterNode } from "../build-flow";
import { callKnown, callMethod, callNodeMethod, mostItems } from "./calls";
import { childrenOf, lastNameOf, operandsOf, type PythonNode, readMemberAccess, rootOf, textOf } from "./nodes";
import { joinFlow } from "./orbiter-nodes";
import type { PythonContext } from "./python-context";
import { readStringSegments } from "./strings";
import {
  type FunctionValue,
  itemsOf,
  type PythonArgument,
  type PythonCall,
  type PythonScope,
  type PythonValue,
  unknownAt,
} from "./value";

/** Expressions inside expressions, through the functions that they call. */
const deepestExpressions = 250;

/** Evaluates expressions; constructor calls among them create nodes. */
export class PythonEvaluator {
  #depth = 0;

  /** `invoke` reads the body of a function for the arguments of a call: what it returns. */
  constructor(
    private readonly context: PythonContext,
    private readonly invoke: (called: FunctionValue, call: PythonCall) => PythonValue,
  ) {}

  evaluate(node: PythonNode, scope: PythonScope): PythonValue {
    if (this.#depth > deepestExpressions) return this.#unread(node, scope);
    this.#depth++;
    const value = this.#evaluate(node, scope);
    this.#depth--;
    return value ?? this.#unread(node, scope);
  }

  /** Null: it would have to be run to be known. */
  #evaluate(node: PythonNode, scope: PythonScope): PythonValue | null {
    const text = textOf(node, this.context.text);
    switch (node.name) {
      case "String":
      case "FormatString":
      case "ContinuedString":
        return this.#string(node, scope);
      case "Number":
        return readNumber(text.replaceAll("_", ""));
      case "Boolean":
        return { type: "boolean", value: text === "True" };
      case "None":
        return { type: "none" };
      case "VariableName":
        return scope.find(text) ?? unknownAt(node, text);
      case "ParenthesizedExpression": {
        const [child, secondChild] = operandsOf(node);
        return child && !secondChild ? this.evaluate(child, scope) : null;
      }
      case "ArrayExpression":
      case "TupleExpression":
        return { type: "list", items: this.#items(operandsOf(node), scope) };
      case "DictionaryExpression":
        return this.#dict(node, scope);
      case "UnaryExpression":
        return this.#signed(node, scope);
      case "BinaryExpression":
        return this.#operator(node, scope);
      case "MemberExpression":
        return this.#member(node, scope);
      case "AwaitExpression": {
        const awaited = childrenOf(node).at(-1);
        return awaited ? this.evaluate(awaited, scope) : null;
      }
      case "CallExpression":
        return this.#call(node, scope);
      case "NamedExpression": {
        const [target, , value] = childrenOf(node);
        return target && value ? this.bind(target, this.evaluate(value, scope), scope) : null;
      }
      default:
        return null;
    }
  }

  /** Binds the name that `target` is; an agent, group or swarm without a name takes it over. */
  bind(target: PythonNode, value: PythonValue, scope: PythonScope): PythonValue {
    const name = textOf(target, this.context.text);
    if (value.type === "orbiter-node") this.context.nodes.nameAfter(value.node, name);
    scope.set(name, value);
    return value;
  }

  /** What would have to be run: nothing that it makes may be missing without a word, and names that it binds are not known. */
  #unread(node: PythonNode, scope: PythonScope): PythonValue {
    node.cursor().iterate((descendant) => {
      const target = descendant.name === "NamedExpression" ? descendant.node.firstChild : null;
      if (target) scope.set(textOf(target, this.context.text), unknownAt(node));
    });
    const description = `${expressionNames.get(node.name) ?? "an expression"} that makes agents`;
    if (this.context.constructors.isIn(node)) this.context.findings.quarantine(description, node, { effect: "lost" });
    return unknownAt(node);
  }

  #string(node: PythonNode, scope: PythonScope): PythonValue | null {
    const segments = readStringSegments(node, this.context.text);
    if (!segments) return null;
    if (segments.every((segment) => typeof segment === "string")) return { type: "text", text: segments.join("") };
    const values = segments.map((segment): PythonValue => {
      const value: PythonValue =
        typeof segment === "string" ? { type: "text", text: segment } : this.evaluate(segment, scope);
      return value.type === "number" && value.isWhole ? { type: "text", text: String(value.value) } : value;
    });
    const text = this.context.texts.join(values);
    return text === null ? unknownAt(node) : { type: "text", text };
  }

  #items(nodes: readonly PythonNode[], scope: PythonScope): PythonValue[] {
    return nodes.flatMap((node, index): PythonValue[] => {
      if (node.name === "*") return [];
      const value = this.evaluate(node, scope);
      return nodes[index - 1]?.name === "*" ? spread(value, node) : [value];
    });
  }

  #dict(node: PythonNode, scope: PythonScope): PythonValue | null {
    const nodes = operandsOf(node).filter(({ name }) => name !== ":");
    if (nodes.some(({ name }) => name === "**") || nodes.length % 2 !== 0) return null;
    const entries = nodes.flatMap((key, index): [PythonValue, PythonValue][] => {
      const value = index % 2 === 0 && nodes[index + 1];
      return value ? [[this.evaluate(key, scope), this.evaluate(value, scope)]] : [];
    });
    return { type: "dict", entries };
  }

  #signed(node: PythonNode, scope: PythonScope): PythonValue | null {
    const [sign, operand] = childrenOf(node);
    if (!sign || !operand || !/^(?:Number|Unary|Parenthesized)/.test(operand.name)) return null;
    const value = this.evaluate(operand, scope);
    const written = textOf(sign, this.context.text);
    if (value.type !== "number" || (written !== "-" && written !== "+")) return unknownAt(node);
    return written === "-" ? { ...value, value: -value.value } : value;
  }

  /** `a >> b`, `a | b` and `a + b`; equal signs in a row are one list. */
  #operator(node: PythonNode, scope: PythonScope): PythonValue | null {
    const operands: PythonNode[] = [];
    let sign = "";
    let operand: PythonNode | undefined = node;
    while (operand?.name === "BinaryExpression") {
      const [firstOperand, operator, secondOperand]: PythonNode[] = childrenOf(operand);
      const written = operator ? textOf(operator, this.context.text) : "";
      if (sign !== "" && written !== sign) break;
      sign = written;
      if (secondOperand) operands.push(secondOperand);
      operand = firstOperand;
    }
    if (operand) operands.push(operand);
    if (sign !== "+" && sign !== ">>" && sign !== "|") return null;
    const values = operands.toReversed().map((member) => this.evaluate(member, scope));
    if (sign === "+") return this.add(values, node);
    const expression = joinFlow(sign, values);
    return expression ? { type: "flow", expression } : unknownAt(node);
  }

  /** What `+` makes of texts or of lists. */
  add(values: readonly PythonValue[], range: TextRange): PythonValue {
    const text = values.every(({ type }) => type === "text") ? this.context.texts.join(values) : null;
    if (text !== null) return { type: "text", text };
    const lists = values.map(itemsOf);
    const size = lists.reduce((sum, items) => sum + (items?.length ?? 0), 0);
    return lists.every((items) => items !== null) && size <= mostItems
      ? { type: "list", items: lists.flat() }
      : unknownAt(range);
  }

  #member(node: PythonNode, scope: PythonScope): PythonValue | null {
    const access = readMemberAccess(node, this.context.text);
    if (!access) return null;
    const owner = this.evaluate(access.object, scope);
    if (access.key) return findItem(owner, this.evaluate(access.key, scope)) ?? unknownAt(node);
    const name = owner.type === "orbiter-node" && access.name === "name" ? owner.node.name : null;
    return name ? { type: "text", text: name } : unknownAt(node);
  }

  #call(node: PythonNode, scope: PythonScope): PythonValue | null {
    const [callee, list] = childrenOf(node);
    if (!callee || list?.name !== "ArgList") return null;
    const [object] = callee.name === "MemberExpression" ? childrenOf(callee) : [];
    const receiver = object && this.evaluate(object, scope);
    const name = lastNameOf(callee, this.context.text) ?? "";
    const bound = object ? undefined : scope.find(name);
    const call: PythonCall = { name, arguments: this.#arguments(list, scope), range: node };
    if (bound?.type === "function") return this.invoke(bound, call);
    if (bound?.type === "class") return this.#instance(bound, node);
    if (receiver && receiver.type !== "unknown") return callMethod(receiver, call, this.context);
    const owner = object && this.ownerOf(object, scope);
    if (owner) return this.#changeMember(owner, object, call);
    if (bound && bound.type !== "unknown") return unknownAt(node);
    return bound && bound.name !== name ? null : callKnown(call, this.context);
  }

  #arguments(list: PythonNode, scope: PythonScope): PythonArgument[] {
    const nodes = operandsOf(list);
    if (nodes.some(({ name }) => name === "for")) return [{ name: "", value: this.#unread(list, scope), range: list }];
    return nodes.flatMap((node, index): PythonArgument[] => {
      if (/^(?:\*\*?|AssignOp)$/.test(node.name) || nodes[index + 1]?.name === "AssignOp") return [];
      const [keyword, sign] = [nodes[index - 2], nodes[index - 1]];
      const isBinding = keyword && sign && textOf(sign, this.context.text) === ":=";
      const value = this.evaluate(node, scope);
      if (isBinding) this.bind(keyword, value, scope);
      if (sign?.name === "*") return spread(value, node).map((item) => ({ name: "", value: item, range: node }));
      if (sign?.name === "**") return unfold(value, { from: sign.from, to: node.to });
      if (sign?.name !== "AssignOp" || !keyword || isBinding) return [{ name: "", value, range: node }];
      return [{ name: textOf(keyword, this.context.text), value, range: { from: keyword.from, to: node.to } }];
    });
  }

  /** An object of a class of the text: a tool, or a change of an Orbiter class. */
  #instance({ name, isOrbiterClass, code }: PythonValue & { type: "class" }, node: PythonNode): PythonValue {
    if (!isOrbiterClass) return { type: "tool", name, code };
    this.context.findings.quarantine(`an object of the class ${clip(name)}`, node, { effect: "lost" });
    return unknownAt(node);
  }

  /** `agent.handoffs.update(…)`, `agent.tools.pop(…)` */
  #changeMember(owner: OrbiterNode, object: PythonNode, call: PythonCall): PythonValue {
    const isHandoffs = readMemberAccess(object, this.context.text)?.name === "handoffs" && call.name === "update";
    const [firstArgument] = call.arguments;
    if (!isHandoffs || !firstArgument || !this.context.nodes.addHandoffs(owner, firstArgument.value))
      callNodeMethod(owner, call, this.context);
    return unknownAt(call.range);
  }

  /** The agent, group or swarm that `agent.tools["a"]` is a part of. */
  ownerOf(node: PythonNode, scope: PythonScope): OrbiterNode | null {
    const root = rootOf(node);
    const value = root.name === "VariableName" ? scope.find(textOf(root, this.context.text)) : undefined;
    return value?.type === "orbiter-node" ? value.node : null;
  }
}

function readNumber(written: string): PythonValue | null {
  const value = /^(?:0[xob][\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/i.test(written) ? Number(written) : Number.NaN;
  const isWhole = /^\d+$/.test(written) && Number.isSafeInteger(value);
  return Number.isFinite(value) ? { type: "number", value, isWhole } : null;
}

/** The values that `*list` unpacks to. */
const spread = (value: PythonValue, range: TextRange): PythonValue[] =>
  itemsOf(value)?.slice(0, mostItems) ?? [unknownAt(range)];

/** The arguments that `**mapping` unpacks to. */
function unfold(value: PythonValue, range: TextRange): PythonArgument[] {
  const isKnown = value.type === "dict" && !value.changedAt && value.entries.every(([key]) => key.type === "text");
  if (!isKnown) return [{ name: "**", value: unknownAt(range), range }];
  return value.entries.flatMap(([key, item]) => (key.type === "text" ? [{ name: key.text, value: item, range }] : []));
}

/** `list[0]` and `mapping["key"]`; null where they are not known. */
function findItem(owner: PythonValue, key: PythonValue): PythonValue | null {
  if (key.type === "number") return itemsOf(owner)?.at(key.value) ?? null;
  if (owner.type !== "dict" || owner.changedAt || owner.entries.length > mostItems || key.type !== "text") return null;
  const entry = owner.entries.findLast(([name]) => name.type === "text" && name.text === key.text);
  return entry?.[1] ?? null;
}

const expressionNames: ReadonlyMap<string, string> = new Map([
  ["ArrayComprehensionExpression", "a list comprehension"],
  ["DictionaryComprehensionExpression", "a mapping comprehension"],
  ["SetComprehensionExpression", "a set comprehension"],
  ["ComprehensionExpression", "a generator"],
  ["ArgList", "a generator"],
  ["ConditionalExpression", "a conditional expression"],
  ["LambdaExpression", "a lambda"],
]);
