import { clip } from "../../../flow/text-range";
import { stubToolName } from "../python-text";
import {
  buildFlow,
  type OrbiterModule,
  type OrbiterNode,
  type OrbiterSwarm,
  referencedNodes,
  toPlainName,
} from "./build-flow";
import { Findings, type Imported, keepAsComment, type Quarantined } from "./imported";
import { Constructors } from "./python/constructors";
import { PythonInterpreter } from "./python/interpreter";
import { childrenOf, hasMistake, type PythonNode, parsePython, statementsOf, textOf } from "./python/nodes";
import { OrbiterNodes } from "./python/orbiter-nodes";
import { readStringSegments } from "./python/strings";
import { TextMaker } from "./python/texts";

/**
 * Constructor calls of the Orbiter library: `Agent`, `ParallelGroup`, `SerialGroup`, `Swarm`, `SwarmNode`, with what
 * can be known of their arguments, also in functions. The text is parsed and read as data; nothing of it is run. Every
 * other statement is quarantined, and whatever changes the meaning of the flow is reported as lost.
 */
export function importPython(text: string): Imported {
  const findings = new Findings(text);
  const module = new ModuleReader(text, findings).read();
  if (!module) {
    const message = 'No agents, groups or swarms of Orbiter were found. Expected calls such as Agent(name="writer").';
    findings.refuse("no-agents", message);
    return findings.toImported("python", "");
  }
  return findings.toImported("python", buildFlow(module, findings) + keepAsComment(findings));
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

/** Modules whose imports do not affect a flow. */
const knownModules = /^(?:from|import)\s+(?:orbiter|exo|__future__|typing|textwrap)\b/;

class ModuleReader {
  readonly #module: PythonNode;
  readonly #nodes: OrbiterNodes;
  readonly #interpreter: PythonInterpreter;
  #title: string | null = null;

  constructor(
    private readonly text: string,
    private readonly findings: Findings,
  ) {
    this.#module = parsePython(text);
    this.#nodes = new OrbiterNodes(findings);
    const constructors = new Constructors(this.#module, text);
    this.#interpreter = new PythonInterpreter({
      text,
      findings,
      nodes: this.#nodes,
      constructors,
      texts: new TextMaker(),
    });
  }

  /** What the text makes; null when it makes nothing. */
  read(): OrbiterModule | null {
    const [firstStatement, ...otherStatements] = statementsOf(this.#module);
    if (firstStatement && !this.#readTitle(firstStatement)) this.#read(firstStatement);
    for (const statement of otherStatements) this.#read(statement);
    this.#interpreter.finish();
    const nodes = [...this.#nodes.created];
    if (nodes.length === 0) return null;
    const root = this.#findRoot(nodes);
    return { root, nodes: nodes.filter((node) => node !== root), name: this.#title ?? "Imported flow" };
  }

  #read(node: PythonNode): void {
    if (hasMistake(node)) {
      this.findings.lose("unsupported", "This is not valid Python; it is kept and not read.", node);
      this.#quarantine(node);
    } else if (/Definition$|^DecoratedStatement$/.test(node.name)) {
      const isStub = stubToolName(textOf(node, this.text)) !== null;
      this.#interpreter.execute(node, isStub ? null : this.#quarantine(node));
    } else if (!this.#interpreter.execute(node, null)) {
      const isKnownImport = node.name === "ImportStatement" && knownModules.test(textOf(node, this.text));
      if (!isKnownImport) this.#quarantine(node);
    }
  }

  /** The last swarm that nothing holds. */
  #findRoot(nodes: readonly OrbiterNode[]): OrbiterSwarm {
    const referenced = new Set(nodes.flatMap(referencedNodes));
    const swarms = nodes.filter((node) => node.type === "Swarm").filter((swarm) => !referenced.has(swarm));
    const last = swarms.at(-1);
    if (swarms.length > 1)
      this.findings.lose(
        "unsupported",
        `There are ${swarms.length} swarms that no other holds, and a flow has one: it is "${clip(last?.name ?? "swarm")}", the last. The others wait beside it.`,
      );
    return last ?? this.#makeRoot(nodes, referenced);
  }

  /** Without a swarm: what nothing holds, one after another. */
  #makeRoot(nodes: readonly OrbiterNode[], referenced: ReadonlySet<OrbiterNode>): OrbiterSwarm {
    const free = nodes.filter((node) => !referenced.has(node));
    const members = free.length > 0 ? free : nodes.slice(0, 1);
    if (members.length > 1)
      this.findings.lose(
        "empty-flow",
        "There is no Swarm in the text, and how its agents work together cannot be read: they run one after another here.",
      );
    return { type: "Swarm", name: null, members, mode: "workflow" };
  }

  #readTitle(node: PythonNode): boolean {
    const [child] = childrenOf(node);
    if (node.name !== "ExpressionStatement" || child?.name !== "String") return false;
    const segments = readStringSegments(child, this.text) ?? [];
    const [line = ""] = segments.join("").trim().split("\n");
    this.#title = toPlainName(line, 200) || null;
    return true;
  }

  #quarantine(node: PythonNode): Quarantined {
    const written = this.text.slice(node.from, Math.min(node.to, node.from + 2000));
    const [target] = node.name === "AssignStatement" ? childrenOf(node) : [];
    const name = target
      ? textOf(target, this.text)
      : (/\b(?:def|class)\s+(\w+)/.exec(written)?.[1] ?? /^(?:from|import)\s+([\w.]+)/.exec(written)?.[1] ?? "");
    const description = Object.hasOwn(statementNames, node.name) ? statementNames[node.name] : "statement";
    return this.findings.quarantine(`${description} ${clip(name)}`.trim(), node);
  }
}
