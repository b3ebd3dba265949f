import { childrenOf, findDefinition, lastNameOf, type PythonNode, textOf } from "./nodes";

const constructorNames = ["Agent", "ParallelGroup", "SerialGroup", "Swarm", "SwarmNode"] as const;
export type ConstructorName = (typeof constructorNames)[number];

/** Which calls of a module make agents, groups or swarms: constructors, and functions and classes that hold such calls. */
export class Constructors {
  readonly #aliases = new Map<string, string>();
  readonly #makers = new Set<string>();

  constructor(
    module: PythonNode,
    private readonly text: string,
  ) {
    const callers = new Map<string, string[]>();
    module.cursor().iterate(({ name, node }) => {
      if (name === "ImportStatement") this.#readAliases(node);
      if (name !== "FunctionDefinition" && name !== "ClassDefinition") return;
      const nameNode = findDefinition(node)?.nameNode;
      const defined = nameNode ? textOf(nameNode, this.text) : "";
      for (const called of [...this.calledNames(node), ...this.baseNames(node)])
        callers
          .set(called, callers.get(called) ?? [])
          .get(called)
          ?.push(defined);
    });
    const reached = [...callers.keys()].filter((name) => this.find(name) !== null);
    for (let name = reached.pop(); name !== undefined; name = reached.pop())
      for (const caller of callers.get(name) ?? [])
        if (!this.#makers.has(caller)) {
          this.#makers.add(caller);
          reached.push(caller);
        }
  }

  /** The name before `as`. */
  originalName(name: string): string {
    return this.#aliases.get(name) ?? name;
  }

  find(name: string): ConstructorName | null {
    return constructorNames.find((constructorName) => constructorName === this.originalName(name)) ?? null;
  }

  /** Whether something in it makes an agent, a group or a swarm. */
  isIn(node: PythonNode): boolean {
    return [...this.calledNames(node)].some((name) => this.find(name) !== null || this.#makers.has(name));
  }

  /** The names of everything that is called in it. */
  calledNames(node: PythonNode): Set<string> {
    const names = new Set<string>();
    node.cursor().iterate((cursor) => {
      const callee = cursor.name === "CallExpression" ? cursor.node.firstChild : null;
      const name = callee && lastNameOf(callee, this.text);
      if (name) names.add(name);
    });
    return names;
  }

  /** What a class inherits from; nothing for a function. */
  baseNames(node: PythonNode): string[] {
    const bases = node.name === "ClassDefinition" ? childrenOf(node).find(({ name }) => name === "ArgList") : undefined;
    return bases ? childrenOf(bases).flatMap((base) => lastNameOf(base, this.text) ?? []) : [];
  }

  #readAliases(node: PythonNode): void {
    const written = textOf(node, this.text);
    for (const [, name = "", alias = ""] of written.matchAll(/\b(\w+)\s+as\s+(\w+)/g)) this.#aliases.set(alias, name);
  }
}
