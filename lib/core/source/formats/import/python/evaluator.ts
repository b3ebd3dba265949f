import { clip, type TextRange } from "../../../../flow/text-range";
import type { OrbiterNode } from "../build-flow";
import { type Findings, humanInputNote } from "../imported";
import type { Constructors } from "./constructors";
import { callMethod, callPiece, mostItems } from "./methods";
import { joinFlow, type OrbiterConstructors, type PythonArgument } from "./pieces";
import type { PythonCall, PythonExpression } from "./syntax";
import type { TextMaker } from "./texts";
import { type FunctionValue, type PythonScope, type PythonValue, unknownAt } from "./value";

/** What evaluating an expression needs of the rest of the reader. */
export interface EvaluatorContext {
  findings: Findings;
  pieces: OrbiterConstructors;
  constructors: Constructors;
  texts: TextMaker;
  /** Reads the body of a function for these arguments: what it returns. */
  invoke(called: FunctionValue, callArguments: readonly PythonArgument[], range: TextRange): PythonValue;
}

/** Expressions inside expressions, through the functions that they call. */
const deepestExpressions = 250;

/** Evaluates expressions; constructor calls among them create nodes. */
export class PythonEvaluator {
  #depth = 0;

  constructor(private readonly context: EvaluatorContext) {}

  evaluate(expression: PythonExpression, scope: PythonScope): PythonValue {
    if (this.#depth > deepestExpressions) return this.#unread(expression);
    this.#depth++;
    const value = this.#evaluate(expression, scope);
    this.#depth--;
    return value;
  }

  #evaluate(expression: PythonExpression, scope: PythonScope): PythonValue {
    switch (expression.type) {
      case "text":
      case "number":
      case "boolean":
      case "none": {
        const { node: _, ...value } = expression;
        return value;
      }
      case "format":
        return this.#format(expression, scope);
      case "list":
        return { type: "list", items: this.#items(expression.items, scope) };
      case "dict":
        return {
          type: "dict",
          entries: expression.entries.map(([key, value]) => [this.evaluate(key, scope), this.evaluate(value, scope)]),
        };
      case "name":
        return scope.find(expression.name) ?? unknownAt(expression.node, expression.name);
      case "member":
        return this.#member(expression, scope);
      case "index":
        return this.#index(expression, scope);
      case "operator":
        return this.#operator(expression, scope);
      case "call":
        return this.#call(expression, scope);
      case "spread":
      case "unknown":
        return this.#unread(expression);
    }
  }

  /** What would have to be run: nothing that it makes may be missing without a word. */
  #unread({ node }: PythonExpression): PythonValue {
    if (this.context.constructors.isIn(node))
      this.context.findings.quarantine(describeExpression(node.name), node, { effect: "lost" });
    return unknownAt(node);
  }

  #items(items: readonly PythonExpression[], scope: PythonScope): PythonValue[] {
    return items.flatMap((item): PythonValue[] => {
      if (item.type !== "spread" || item.sign !== "*") return [this.evaluate(item, scope)];
      const value = this.evaluate(item.value, scope);
      return value.type === "list" && !value.changedAt ? value.items.slice(0, mostItems) : [unknownAt(item.node)];
    });
  }

  #format({ parts: segments, node }: PythonExpression & { type: "format" }, scope: PythonScope): PythonValue {
    const values = segments.map((segment): PythonValue => {
      const value: PythonValue =
        typeof segment === "string" ? { type: "text", text: segment } : this.evaluate(segment, scope);
      return value.type === "number" && value.isWhole ? { type: "text", text: String(value.value) } : value;
    });
    const text = this.context.texts.join(values);
    return text === null ? unknownAt(node) : { type: "text", text };
  }

  #member({ object, name, node }: PythonExpression & { type: "member" }, scope: PythonScope): PythonValue {
    const owner = this.evaluate(object, scope);
    if (owner.type === "piece" && name === "name" && owner.piece.name) return { type: "text", text: owner.piece.name };
    return unknownAt(node);
  }

  #index({ object, key, node }: PythonExpression & { type: "index" }, scope: PythonScope): PythonValue {
    const [owner, keyValue] = [this.evaluate(object, scope), this.evaluate(key, scope)];
    if (owner.type === "list" && !owner.changedAt && keyValue.type === "number")
      return owner.items.at(keyValue.value) ?? unknownAt(node);
    if (owner.type !== "dict" || owner.changedAt || owner.entries.length > mostItems || keyValue.type !== "text")
      return unknownAt(node);
    const entry = owner.entries.findLast(([name]) => name.type === "text" && name.text === keyValue.text);
    return entry?.[1] ?? unknownAt(node);
  }

  #operator({ sign, members, node }: PythonExpression & { type: "operator" }, scope: PythonScope): PythonValue {
    const values = members.map((member) => this.evaluate(member, scope));
    if (sign === "+") return this.add(values, node);
    const expression = joinFlow(sign, values);
    return expression ? { type: "flow", expression } : unknownAt(node);
  }

  /** What `+` makes of texts or of lists. */
  add(values: readonly PythonValue[], range: TextRange): PythonValue {
    const text = values.every(({ type }) => type === "text") ? this.context.texts.join(values) : null;
    if (text !== null) return { type: "text", text };
    const lists = values.flatMap((value) => (value.type === "list" && !value.changedAt ? [value.items] : []));
    const size = lists.reduce((sum, { length }) => sum + length, 0);
    return lists.length === values.length && size <= mostItems
      ? { type: "list", items: lists.flat() }
      : unknownAt(range);
  }

  #call(call: PythonCall, scope: PythonScope): PythonValue {
    const receiver = call.receiver && this.evaluate(call.receiver, scope);
    const bound = call.receiver ? undefined : scope.find(call.name);
    const callArguments = this.#arguments(call, scope);
    if (bound?.type === "function") return this.context.invoke(bound, callArguments, toRange(call));
    if (bound?.type === "class") return this.#instance(bound, call);
    if (receiver && receiver.type !== "unknown")
      return callMethod({ receiver, ...this.#methodCall(call, callArguments) });
    const owner = call.receiver && this.ownerOf(call.receiver, scope);
    if (owner) return this.#changePart(owner, call, callArguments);
    if (bound && bound.type !== "unknown") return unknownAt(call.node);
    if (bound && bound.name !== call.name) return this.#unread(call);
    return this.#known(call, callArguments);
  }

  /** Constructors and functions of Orbiter and of Python itself, with or without the name of their module. */
  #known(call: PythonCall, callArguments: readonly PythonArgument[]): PythonValue {
    const { constructors, pieces } = this.context;
    const range = toRange(call);
    const type = constructors.find(call.name);
    if (type) return pieces.construct({ type, arguments: callArguments, range });
    const [firstArgument] = callArguments;
    switch (constructors.originalName(call.name)) {
      case "dedent":
        return this.#dedent(firstArgument?.value) ?? unknownAt(range);
      case "list":
      case "tuple":
        return firstArgument?.value.type === "list" && firstArgument.value.items.length <= mostItems
          ? { ...firstArgument.value, items: [...firstArgument.value.items] }
          : unknownAt(range);
      case "dict":
        return {
          type: "dict",
          entries: callArguments.map(({ name, value }) => [
            name === "" ? unknownAt(range) : { type: "text", text: name },
            value,
          ]),
        };
      case "HumanInputTool":
        return this.#humanInput(callArguments, range);
      case "FunctionTool":
        return this.#functionTool(callArguments) ?? unknownAt(range);
      default:
        return unknownAt(range);
    }
  }

  #dedent(value: PythonValue | undefined): PythonValue | null {
    const text = value?.type === "text" ? this.context.texts.change(value.text, "dedent") : null;
    return text === null ? null : { type: "text", text };
  }

  #humanInput(callArguments: readonly PythonArgument[], range: TextRange): PythonValue {
    for (const argument of callArguments) {
      if (argument.value.type === "none") continue;
      // How the person is reached is a matter of where it runs.
      const effect = argument.name === "handler" ? "note" : "lost";
      this.context.findings.quarantine(`argument ${argument.name} of HumanInputTool`, argument.range, { effect });
    }
    this.context.findings.note("name-taken", humanInputNote, range);
    return { type: "tool", name: "ask_human", keptCode: null };
  }

  #functionTool(callArguments: readonly PythonArgument[]): PythonValue | null {
    const code = callArguments.find(({ name }) => name === "" || name === "fn")?.value;
    const name = callArguments.find((argument) => argument.name === "name")?.value;
    if (code?.type !== "function") return null;
    return { type: "tool", name: name?.type === "text" ? name.text : code.toolName, keptCode: code.keptCode };
  }

  /** An object of a class of the text: a tool, or something that is no part of a flow. */
  #instance(bound: PythonValue & { type: "class" }, { node }: PythonCall): PythonValue {
    if (!bound.isPiece)
      return bound.keptCode ? { type: "tool", name: bound.name, keptCode: bound.keptCode } : unknownAt(node);
    this.context.findings.quarantine(`an object of the class ${clip(bound.name)}`, node, { effect: "lost" });
    return unknownAt(node);
  }

  #methodCall = (call: PythonCall, callArguments: readonly PythonArgument[]) => ({
    name: call.name,
    callArguments,
    range: toRange(call),
    findings: this.context.findings,
    texts: this.context.texts,
  });

  /** `agent.handoffs.update(…)`, `agent.tools.pop(…)` */
  #changePart(owner: OrbiterNode, call: PythonCall, callArguments: readonly PythonArgument[]): PythonValue {
    const isHandoffs = call.receiver?.type === "member" && call.receiver.name === "handoffs" && call.name === "update";
    const [firstArgument] = callArguments;
    if (!isHandoffs || !firstArgument || !this.context.pieces.addHandoffs(owner, firstArgument.value))
      callPiece(owner, this.#methodCall(call, callArguments));
    return unknownAt(call.node);
  }

  /** The agent, group or swarm that `agent.tools["a"]` is a part of. */
  ownerOf(expression: PythonExpression, scope: PythonScope): OrbiterNode | null {
    let object = expression;
    while (object.type === "member" || object.type === "index") object = object.object;
    const value = object.type === "name" ? scope.find(object.name) : undefined;
    return value?.type === "piece" ? value.piece : null;
  }

  #arguments({ positional, named }: PythonCall, scope: PythonScope): PythonArgument[] {
    const positionalArguments = positional.flatMap((expression): PythonArgument[] => {
      const range = toRange(expression);
      return this.#items([expression], scope).map((value) => ({ name: "", value, range }));
    });
    const byName = named.flatMap(({ name, value: expression, range }): PythonArgument[] => {
      const value = this.evaluate(expression, scope);
      return name === "" ? unfold(value, range) : [{ name, value, range }];
    });
    return [...positionalArguments, ...byName];
  }
}

/** The arguments that `**mapping` unpacks to. */
function unfold(value: PythonValue, range: TextRange): PythonArgument[] {
  const entries = value.type === "dict" && !value.changedAt ? value.entries : [];
  const unfolded = entries.flatMap(([key, item]) =>
    key.type === "text" ? [{ name: key.text, value: item, range }] : [],
  );
  const isWhole = value.type === "dict" && !value.changedAt && unfolded.length === entries.length;
  return isWhole ? unfolded : [{ name: "**", value: unknownAt(range), range }];
}

const toRange = ({ node: { from: start, to: end } }: PythonExpression): TextRange => ({ from: start, to: end });

const expressionNames: Readonly<Record<string, string>> = {
  ArrayComprehensionExpression: "a list comprehension",
  DictionaryComprehensionExpression: "a mapping comprehension",
  SetComprehensionExpression: "a set comprehension",
  ComprehensionExpression: "a generator",
  ArgList: "a generator",
  ConditionalExpression: "a conditional expression",
  LambdaExpression: "a lambda",
};

const describeExpression = (name: string): string =>
  `${Object.hasOwn(expressionNames, name) ? expressionNames[name] : "an expression"} that makes agents`;
