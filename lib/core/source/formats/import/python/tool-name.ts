import { childrenOf, operandsOf, type PythonNode, textOf } from "./nodes";
import { readStringSegments } from "./strings";

/** The name that a decorator gives to a tool: `@tool(name="…")`; null: none does. */
export function findToolName(statement: PythonNode, text: string): string | null {
  for (const decorator of childrenOf(statement).filter(({ name }) => name === "Decorator")) {
    const list = childrenOf(decorator).find(({ name }) => name === "ArgList");
    const [called = ""] = textOf(decorator, text).slice(0, 200).split("(");
    if (!list || !/(?:^@|\.)\s*tool\s*$/.test(called)) continue;
    const nodes = operandsOf(list);
    const literal = nodes.find(
      (_, index) => nodes[index - 1]?.name === "AssignOp" && textOf(nodes[index - 2] ?? list, text) === "name",
    );
    const segments = literal && /String$/.test(literal.name) ? readStringSegments(literal, text) : null;
    const [name] = segments ?? [];
    if (segments?.length === 1 && typeof name === "string" && name !== "") return name;
  }
  return null;
}
