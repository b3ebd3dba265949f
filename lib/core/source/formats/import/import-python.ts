import { clip } from "../../../flow/text-range";
import { stubToolName } from "../python-text";
import { buildFlow, type Piece, type SwarmPiece } from "./build-flow";
import { toFound } from "./import-yaml";
import { Findings, type Imported, keepAsComment, type Quarantined } from "./imported";
import { Constructors } from "./python/constructors";
import { PythonInterpreter } from "./python/interpreter";
import { childrenOf, hasMistake, type PythonNode, parsePython, statementsOf } from "./python/nodes";
import { PythonPieces } from "./python/pieces";
import { readExpression } from "./python/syntax";

/**
 * Constructor calls of the Orbiter library: `Agent`, `ParallelGroup`, `SerialGroup`, `Swarm`, `SwarmNode`, with what
 * can be known of their arguments, also in functions. The text is parsed and read as data; nothing of it is run. Every
 * other statement is quarantined, and whatever changes the meaning of the flow is reported as lost.
 */
export function importPython(text: string): Imported {
  const findings = new Findings(text);
  const reader = new ModuleReader(text, findings);
  const module = reader.read();
  if (!module) {
    findings.refuse(
      "no-agents",
      'No agents, groups or swarms of Orbiter were found. Expected calls such as Agent(name="writer").',
    );
    return { format: "python", source: "", ...toFound(findings) };
  }
  const source = buildFlow(module, findings) + keepAsComment(findings);
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
const knownModules = /^(?:from|import)\s+(?:orbiter|exo|__future__|typing|textwrap)\b/;

class ModuleReader {
  readonly #pieces: PythonPieces;
  readonly #module: PythonNode;
  readonly #interpreter: PythonInterpreter;
  #title: string | null = null;

  constructor(
    private readonly text: string,
    private readonly findings: Findings,
  ) {
    this.#module = parsePython(text);
    this.#pieces = new PythonPieces(findings);
    const constructors = new Constructors(this.#module, text);
    this.#interpreter = new PythonInterpreter({ text, findings, pieces: this.#pieces, constructors });
  }

  /** What the text makes; null when it makes nothing. */
  read(): { root: SwarmPiece; pieces: Piece[]; name: string } | null {
    const [first, ...others] = statementsOf(this.#module);
    if (first && !this.#readTitle(first)) this.#read(first);
    for (const statement of others) this.#read(statement);
    this.#interpreter.finish();
    const made = [...this.#pieces.made];
    if (made.length === 0) return null;
    const root = this.#findRoot(made);
    return { root, pieces: made.filter((piece) => piece !== root), name: this.#title ?? "Imported flow" };
  }

  #read(node: PythonNode): void {
    if (hasMistake(node)) this.#mistake(node);
    else if (/Definition$|^DecoratedStatement$/.test(node.name)) this.#define(node);
    else if (!this.#interpreter.execute(node, null) && !this.#isKnownImport(node)) this.#quarantine(node);
  }

  /** The last swarm that nothing holds. */
  #findRoot(made: readonly Piece[]): SwarmPiece {
    const held = new Set(made.flatMap((piece) => (piece.type === "agent" ? piece.handoffs : piece.members)));
    const swarms = made.filter((piece) => piece.type === "swarm").filter((swarm) => !held.has(swarm));
    const last = swarms.at(-1);
    if (swarms.length > 1)
      this.findings.lose(
        "unsupported",
        `There are ${swarms.length} swarms that no other holds, and a flow has one: it is "${clip(last?.name ?? "swarm")}", the last. The others wait beside it.`,
      );
    return last ?? this.#makeRoot(made, held);
  }

  /** Without a swarm: what nothing holds, one after another. */
  #makeRoot(made: readonly Piece[], held: ReadonlySet<Piece>): SwarmPiece {
    const free = made.filter((piece) => !held.has(piece));
    const members = free.length > 0 ? free : made.slice(0, 1);
    if (members.length > 1)
      this.findings.lose(
        "empty-flow",
        "There is no Swarm in the text, and how its agents work together cannot be read: they run one after another here.",
      );
    return { type: "swarm", name: null, members, mode: "workflow" };
  }

  #readTitle(node: PythonNode): boolean {
    const [child] = childrenOf(node);
    if (node.name !== "ExpressionStatement" || child?.name !== "String") return false;
    const value = readExpression(child, this.text);
    const [line = ""] = value.type === "text" ? value.text.trim().split("\n") : [];
    const title = line
      .replaceAll(/\p{Cc}/gu, " ")
      .trim()
      .slice(0, 200)
      .trim();
    if (title !== "") this.#title = title;
    return true;
  }

  #isKnownImport = ({ name, from, to }: PythonNode): boolean =>
    name === "ImportStatement" && knownModules.test(this.text.slice(from, to));

  #define(node: PythonNode): void {
    const isStub = stubToolName(this.text.slice(node.from, node.to)) !== null;
    this.#interpreter.execute(node, isStub ? null : this.#quarantine(node));
  }

  #mistake(node: PythonNode): void {
    const range = { from: node.from, to: node.to };
    this.findings.lose("unsupported", "This is not valid Python; it is kept and not read.", range);
    this.#quarantine(node);
  }

  #quarantine(node: PythonNode): Quarantined {
    const written = this.text.slice(node.from, Math.min(node.to, node.from + 2000));
    const [target] = node.name === "AssignStatement" ? childrenOf(node) : [];
    const name = target
      ? this.text.slice(target.from, target.to)
      : (/\b(?:def|class)\s+(\w+)/.exec(written)?.[1] ?? /^(?:from|import)\s+([\w.]+)/.exec(written)?.[1] ?? "");
    const what = Object.hasOwn(statementNames, node.name) ? statementNames[node.name] : "statement";
    return this.findings.quarantine(`${what} ${clip(name)}`.trim(), { from: node.from, to: node.to });
  }
}
