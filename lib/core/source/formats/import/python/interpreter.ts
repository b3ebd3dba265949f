import { clip } from "../../../../flow/text-range";
import { stubToolName } from "../../python-text";
import { importLimits, type Quarantined } from "../imported";
import { PythonAssignments } from "./assignments";
import { PythonEvaluator } from "./evaluator";
import { blocksOf, childrenOf, findDefinition, hasResult, type PythonNode, statementsOf, textOf } from "./nodes";
import type { PythonContext } from "./python-context";
import { findToolName } from "./tool-name";
import {
  type FunctionValue,
  type PythonArgument,
  type PythonCall,
  PythonScope,
  type PythonValue,
  unknownAt,
} from "./value";

/** A call of a function, or the module. */
interface PythonFrame {
  scope: PythonScope;
  /** What is returned where nothing depends on a condition; null: nothing yet. */
  result: PythonValue | null;
  /** Whether something else may be returned instead. */
  isDoubtful: boolean;
  /** Inside how many blocks that may not run, or run several times. */
  doubts: number;
}

const deepestCalls = 20;
const deepestBlocks = 100;
/** Characters of statements that are followed, those of a function each time that it is called. */
const mostFollowed = importLimits.length * 2;
/** What a statement in a function counts at least. */
const leastFollowed = 100;

/** Compound statements; `with` always runs what it holds, `try` its first block. */
const compound = /^(?:If|For|While|Try|With|Match)Statement$/;

/**
 * Follows the statements of a module in their order and keeps account of what names are bound to; functions are
 * followed where they are called. Nothing is run: what depends on a condition or a loop is not known.
 */
export class PythonInterpreter {
  readonly #evaluator: PythonEvaluator;
  readonly #assignments: PythonAssignments;
  readonly #module: PythonFrame = { scope: new PythonScope(), result: null, isDoubtful: false, doubts: 0 };
  /** The functions that make agents, by where they are defined. */
  readonly #makers = new Map<number, { value: FunctionValue; isCalled: boolean }>();
  #calls = 0;
  #blocks = 0;
  #followed = 0;

  constructor(private readonly context: PythonContext) {
    this.#evaluator = new PythonEvaluator(context, (called, call) => this.#invoke(called, call));
    this.#assignments = new PythonAssignments(context, this.#evaluator);
  }

  /** Follows a statement of the module; `code` is its text where it defines something. False: a flow does not hold all of it. */
  execute(statement: PythonNode, code: Quarantined | null): boolean {
    return this.#execute(statement, this.#module, code);
  }

  /** Follows the functions that make agents and that nothing calls, where the text makes no agents otherwise. */
  finish(): void {
    const { nodes, constructors } = this.context;
    const waiting = nodes.created.size === 0 ? this.#uncalledMakers() : [];
    const calledMakers = new Set(
      waiting.flatMap(({ name, node }) => [...constructors.calledNames(node)].filter((called) => called !== name)),
    );
    for (const maker of [...waiting.filter(({ name }) => !calledMakers.has(name)), ...waiting])
      if (this.#makers.get(maker.node.from)?.isCalled === false)
        this.#invoke(maker, { name: maker.name, arguments: [], range: maker.node });
    for (const { name, node } of this.#uncalledMakers())
      this.#lose(`The function \`${clip(name)}\` makes agents, and nothing here calls it: it is not read.`, node.from);
  }

  #uncalledMakers = (): FunctionValue[] =>
    [...this.#makers.values()].flatMap(({ isCalled, value }) => (isCalled ? [] : [value]));

  #lose(message: string, offset: number): void {
    this.context.findings.lose("unsupported", message, { from: offset, to: offset + 1 });
  }

  #execute(statement: PythonNode, frame: PythonFrame, code: Quarantined | null = null): boolean {
    if (!this.#isAffordable(statement)) return false;
    if (!compound.test(statement.name)) return this.#executeSimple(statement, frame, code);
    this.#blocks++;
    this.#executeCompound(statement, frame);
    this.#blocks--;
    return false;
  }

  #isAffordable({ from: start, to: end }: PythonNode): boolean {
    const isLeft = this.#followed <= mostFollowed;
    this.#followed += Math.max(end - start, this.#calls > 0 ? leastFollowed : 0);
    const isDeep = this.#blocks > deepestBlocks;
    if ((isLeft && this.#followed > mostFollowed) || isDeep)
      this.#lose(
        "The text nests too deep or calls its functions too often: not all of it is read. Simplify it.",
        start,
      );
    return this.#followed <= mostFollowed && !isDeep;
  }

  #executeSimple(statement: PythonNode, frame: PythonFrame, code: Quarantined | null): boolean {
    const { scope } = frame;
    switch (statement.name) {
      case "AssignStatement":
        return this.#assignments.assign(statement, scope);
      case "UpdateStatement":
        return this.#assignments.update(statement, scope);
      case "ExpressionStatement":
        return this.#evaluateAll(statement, scope).every(({ type }) => type === "text" || type === "orbiter-node");
      case "ReturnStatement": {
        const values = this.#evaluateAll(statement, scope);
        const [value = { type: "none" }] = values;
        if (frame.doubts === 0) frame.result ??= values.length > 1 ? { type: "list", items: values } : value;
        return true;
      }
      case "DecoratedStatement":
      case "FunctionDefinition":
      case "ClassDefinition":
        this.#define(statement, scope, code);
        return false;
      case "ScopeStatement":
        for (const child of childrenOf(statement))
          if (child.name === "VariableName") scope.makeGlobal(textOf(child, this.context.text));
        return true;
      case "PassStatement":
        return true;
      default:
        this.#evaluateAll(statement, scope);
        this.#assignments.forget([statement], scope);
        return false;
    }
  }

  #executeCompound(statement: PythonNode, frame: PythonFrame): void {
    const { name } = statement;
    const [firstBlock, ...otherBlocks] = blocksOf(statement);
    const isWith = name === "WithStatement";
    if (!firstBlock || !(isWith || name === "TryStatement" || this.#isMainCheck(statement, firstBlock))) {
      this.#doubt(statement, [statement], frame);
      return;
    }
    if (isWith) {
      this.#evaluateAll(statement, frame.scope);
      this.#assignments.forgetTargets(statement, frame.scope);
    }
    for (const blockStatement of statementsOf(firstBlock)) this.#execute(blockStatement, frame);
    if (otherBlocks.length > 0) this.#doubt(statement, otherBlocks, frame);
  }

  /** Blocks that may not run, or run several times. Agents in them are read once, and that is reported. */
  #doubt(statement: PythonNode, regions: readonly PythonNode[], frame: PythonFrame): void {
    const { constructors } = this.context;
    const blocks = regions.flatMap((region) => (region.name === "Body" ? [region] : blocksOf(region)));
    frame.isDoubtful ||= blocks.some(hasResult);
    if (!regions.some((region) => constructors.isIn(region))) {
      this.#assignments.forget(regions, frame.scope);
      return;
    }
    const where = /^(?:For|While)/.test(statement.name) ? "in a loop" : "under a condition";
    const message = `Agents, groups or swarms are made ${where}: they are read as if that ran once. A flow is fixed; list them one by one.`;
    this.#lose(message, statement.from);
    if (regions.includes(statement)) this.#evaluateAll(statement, frame.scope);
    this.#assignments.forget(regions, frame.scope, { onlyBound: true });
    frame.doubts++;
    for (const block of blocks.filter((region) => constructors.isIn(region)))
      for (const blockStatement of statementsOf(block)) this.#execute(blockStatement, frame);
    frame.doubts--;
  }

  #define(statement: PythonNode, scope: PythonScope, code: Quarantined | null): void {
    const { constructors, findings, text } = this.context;
    const definitionNodes = findDefinition(statement);
    if (!definitionNodes) return;
    const { definition, nameNode } = definitionNodes;
    const name = textOf(nameNode, text);
    const makes = constructors.isIn(definition);
    if (definition.name === "ClassDefinition") {
      const isOrbiterClass = constructors.baseNames(definition).some((base) => constructors.find(base) !== null);
      if (makes) this.#lose(`The class \`${clip(name)}\` makes agents: classes are not read.`, definition.from);
      const classCode = code ?? findings.prepare(`class ${clip(name)}`, statement);
      scope.set(name, { type: "class", name, isOrbiterClass, code: classCode });
      return;
    }
    const stub = stubToolName(textOf(statement, text));
    const functionCode = stub === null ? (code ?? findings.prepare(`function ${clip(name)}`, statement)) : null;
    const toolName = stub ?? findToolName(statement, text) ?? name;
    const value: FunctionValue = { type: "function", name, toolName, node: definition, scope, code: functionCode };
    if (makes && !this.#makers.has(definition.from)) this.#makers.set(definition.from, { value, isCalled: false });
    scope.set(name, value);
  }

  /** What a function returns for these arguments, as far as that depends on no condition. */
  #invoke(called: FunctionValue, { arguments: callArguments, range }: PythonCall): PythonValue {
    const maker = this.#makers.get(called.node.from);
    if (maker) maker.isCalled = true;
    const [block] = blocksOf(called.node);
    if (!block || this.#calls >= deepestCalls) {
      this.#lose(`The calls of \`${clip(called.name)}\` nest too deep: not all of them are read.`, range.from);
      return unknownAt(range);
    }
    const frame: PythonFrame = { scope: new PythonScope(called.scope), result: null, isDoubtful: false, doubts: 0 };
    for (const [name, value] of this.#bindParameters(called, callArguments)) frame.scope.set(name, value);
    this.#calls++;
    for (const statement of statementsOf(block)) this.#execute(statement, frame);
    this.#calls--;
    frame.isDoubtful ||= frame.result === null && hasResult(block);
    return frame.isDoubtful ? unknownAt(range) : (frame.result ?? { type: "none" });
  }

  /** What the parameters of a function are in a call; what nothing is given for, and has no default value, is not known. */
  #bindParameters(
    called: FunctionValue,
    callArguments: readonly PythonArgument[],
  ): [name: string, value: PythonValue][] {
    const positional = callArguments.filter(({ name }) => name === "");
    const named = new Map(callArguments.filter(({ name }) => name !== "").map(({ name, value }) => [name, value]));
    const hasUnread = named.has("**");
    const list = childrenOf(called.node).find(({ name }) => name === "ParamList");
    const children = list ? childrenOf(list).filter(({ name }) => name !== "TypeDef") : [];
    return children.flatMap((node, index): [string, PythonValue][] => {
      const sign = children[index - 1]?.name;
      if (node.name !== "VariableName" || sign === "AssignOp") return [];
      const name = textOf(node, this.context.text);
      if (sign === "*") return [[name, { type: "list", items: positional.splice(0).map(({ value }) => value) }]];
      if (sign === "**") return [[name, toDict(named)]];
      const defaultNode = children[index + 1]?.name === "AssignOp" && !hasUnread ? children[index + 2] : undefined;
      const value = named.get(name) ?? positional.shift()?.value;
      named.delete(name);
      const usedValue = value ?? (defaultNode && this.#evaluator.evaluate(defaultNode, called.scope));
      return [[name, usedValue ?? unknownAt(node)]];
    });
  }

  /** The values of all expressions that are direct children of a statement. */
  #evaluateAll = (statement: PythonNode, scope: PythonScope): PythonValue[] =>
    childrenOf(statement)
      .filter(({ name }) => /(?:Expression|String|^Number|^Boolean|^None|^VariableName)$/.test(name))
      .map((node) => this.#evaluator.evaluate(node, scope));

  /** `if __name__ == "__main__":` */
  #isMainCheck(statement: PythonNode, { from: blockStart }: PythonNode): boolean {
    const condition = this.context.text.slice(statement.from, Math.min(blockStart, statement.from + 200));
    const sides = condition
      .replaceAll(/^if\b|["'\s()]/g, "")
      .split("==")
      .toSorted();
    return statement.name === "IfStatement" && sides.join() === "__main__,__name__";
  }
}

const toDict = (named: ReadonlyMap<string, PythonValue>): PythonValue => ({
  type: "dict",
  entries: [...named].map(([key, value]) => [{ type: "text", text: key }, value]),
});
