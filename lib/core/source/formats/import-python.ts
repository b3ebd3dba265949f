import type { Range } from "../../flow/text";
import { clip } from "../../flow/text";
import { buildFlow, type Piece, type SwarmPiece } from "./build-flow";
import { toFound } from "./import-yaml";
import { Findings, type Imported, keepAsComment } from "./imported";
import { PythonPieces } from "./python-pieces";
import { childrenOf, hasMistake, type PythonNode, readStatements, readValue } from "./python-syntax";
import { isToolStub } from "./python-text";

/**
 * Constructor calls of the Orbiter library: `Agent`, `ParallelGroup`, `SerialGroup`, `Swarm`, `SwarmNode`, with
 * literals, names, lists, mappings, `>>`, `|` and assignments. The text is parsed and read as data; nothing of it is
 * run. Every other statement is quarantined.
 */
export function importPython(text: string): Imported {
  const findings = new Findings(text);
  const reader = new ModuleReader(text, findings);
  for (const statement of readStatements(text)) reader.read(statement);
  const found = reader.found();
  if (!found) {
    findings.report(
      "no-agents",
      "error",
      'No agents, groups or swarms of Orbiter were found. Expected calls such as Agent(name="writer") at the top level of the text.',
    );
    return { format: "python", source: "", ...toFound(findings) };
  }
  const source = buildFlow(found, findings) + keepAsComment(findings);
  return { format: "python", source, ...toFound(findings) };
}

/** What statements that are not read are called. */
const statementNames: Readonly<Record<string, string>> = {
  ImportStatement: "import",
  FunctionDefinition: "function",
  ClassDefinition: "class",
  DecoratedStatement: "function",
  IfStatement: "condition",
  ForStatement: "loop",
  WhileStatement: "loop",
  AssignStatement: "assignment to",
};

/** Modules whose imports say nothing about a flow. */
const knownModules = /^(?:from|import)\s+(?:orbiter|exo|__future__|typing)\b/;

class ModuleReader {
  readonly #pieces: PythonPieces;
  #title: string | null = null;
  #isFirst = true;

  constructor(
    private readonly text: string,
    private readonly findings: Findings,
  ) {
    this.#pieces = new PythonPieces(text, findings);
  }

  read(node: PythonNode): void {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (hasMistake(node)) this.#mistake(node);
    else if (isFirst && this.#readTitle(node)) return;
    else if (node.name === "AssignStatement") this.#assign(node);
    else if (node.name === "ExpressionStatement") this.#expression(node);
    else if (node.name === "ImportStatement") this.#import(node);
    else this.#other(node);
  }

  /** What was made; null when nothing was. */
  found(): { root: SwarmPiece; pieces: Piece[]; name: string } | null {
    const { made } = this.#pieces;
    if (made.length === 0) return null;
    const held = new Set(made.flatMap((piece) => (piece.type === "agent" ? piece.handoffs : piece.members)));
    const swarms = made.filter((piece) => piece.type === "swarm");
    const root = swarms.findLast((swarm) => !held.has(swarm)) ?? this.#makeRoot(made, held);
    const name = this.#title ?? "Imported flow";
    return { root, pieces: made.filter((piece) => piece !== root), name };
  }

  /** Without a swarm: the parts that nothing holds, one after another. */
  #makeRoot(made: readonly Piece[], held: ReadonlySet<Piece>): SwarmPiece {
    const free = made.filter((piece) => !held.has(piece));
    const members = free.length > 0 ? free : made.slice(0, 1);
    if (members.length > 1)
      this.findings.report("empty-flow", "info", "There is no Swarm in the text: its parts stand one after another.");
    return { type: "swarm", name: null, members, mode: "workflow" };
  }

  #readTitle(node: PythonNode): boolean {
    const [child] = childrenOf(node);
    if (node.name !== "ExpressionStatement" || child?.name !== "String") return false;
    const value = readValue(child, this.text);
    const [line = ""] = value.type === "text" ? value.text.trim().split("\n") : [];
    const title = line
      .replaceAll(/\p{Cc}/gu, " ")
      .trim()
      .slice(0, 200)
      .trim();
    if (title !== "") this.#title = title;
    return true;
  }

  /** `name = value`, also with a type, and `a.handoffs["b"] = b`. */
  #assign(node: PythonNode): void {
    const parts = childrenOf(node).filter(({ name }) => name !== "TypeDef");
    const targets = parts.filter((_, index) => parts[index + 1]?.name === "AssignOp");
    const value = parts.at(-1);
    const isPlain = targets.length > 0 && value && parts.length === targets.length * 2 + 1;
    const read = isPlain ? this.#pieces.evaluate(readValue(value, this.text)) : null;
    const done = read !== null && targets.every((target) => this.#store(target, read));
    if (!done) this.#quarantine(node, targets[0]);
  }

  #store(target: PythonNode, value: NonNullable<ReturnType<PythonPieces["evaluate"]>>): boolean {
    if (target.name === "VariableName") {
      this.#pieces.store(this.text.slice(target.from, target.to), value);
      return true;
    }
    const [object, , property] = childrenOf(target);
    const isIndexed = object?.name === "MemberExpression";
    const [owner, , field] = isIndexed ? childrenOf(object) : [object, null, property];
    if (!owner || !field || this.text.slice(field.from, field.to) !== "handoffs") return false;
    return this.#pieces.addHandoffs(this.text.slice(owner.from, owner.to), value);
  }

  #expression(node: PythonNode): void {
    const [child] = childrenOf(node);
    const value = child ? readValue(child, this.text) : null;
    if (value?.type === "text") return;
    const made = value?.type === "call" ? this.#pieces.evaluate(value) : null;
    if (made?.type !== "piece") this.#quarantine(node);
  }

  #import(node: PythonNode): void {
    const written = this.text.slice(node.from, node.to);
    if (!knownModules.test(written)) this.#quarantine(node);
    for (const [, name = "", alias = ""] of written.matchAll(/\b(\w+)\s+as\s+(\w+)/g)) this.#pieces.alias(alias, name);
  }

  #other(node: PythonNode): void {
    const written = this.text.slice(node.from, node.to);
    const [, name] = /\b(?:def|class)\s+(\w+)/.exec(written.slice(0, 2000)) ?? [];
    const isStub = isToolStub(written);
    const tool = isStub ? /NotImplementedError\("([^"]*)"\)/.exec(written)?.[1] : name;
    if (name !== undefined) this.#pieces.store(name, { type: "tool", name: tool ?? name });
    if (!isStub) this.#quarantine(node);
  }

  #mistake(node: PythonNode): void {
    const range = { from: node.from, to: node.to };
    this.findings.report("unsupported", "warning", "This is not valid Python; it is kept and not read.", range);
    this.#quarantine(node);
  }

  #quarantine(node: PythonNode, named?: PythonNode): void {
    const range: Range = { from: node.from, to: node.to };
    const written = this.text.slice(node.from, Math.min(node.to, node.from + 2000));
    const name = named
      ? this.text.slice(named.from, named.to)
      : (/\b(?:def|class)\s+(\w+)/.exec(written)?.[1] ?? /^(?:from|import)\s+([\w.]+)/.exec(written)?.[1] ?? "");
    const what = Object.hasOwn(statementNames, node.name) ? statementNames[node.name] : "statement";
    this.findings.quarantine(`${what} ${clip(name)}`.trim(), range);
  }
}
