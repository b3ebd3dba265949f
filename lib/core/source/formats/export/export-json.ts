import { isMap, isScalar, isSeq, parseDocument } from "yaml";
import type { Flow } from "../../../flow/flow";
import { writeSource } from "../../write-source";
import type { Exported } from "./exported";

/**
 * The flow as JSON, with the fields of the flow file in the same order (a flow file is JSON's superset: this is one
 * too). Names that look like numbers keep their place, which objects of JavaScript would not give them.
 */
export function exportJson(flow: Flow): Exported {
  const { contents } = parseDocument(writeSource(flow), { logLevel: "silent", prettyErrors: false });
  return { text: `${printJson(contents, "")}\n`, notes: [], losses: [] };
}

const shortest = 90;

/** As JSON; what fits on a line of its own stays on one, two levels below the top. */
function printJson(node: unknown, margin: string): string {
  const innerMargin = `${margin}  `;
  if (isMap(node)) {
    const entries = node.items.map(({ key, value }) => {
      const name = isScalar(key) ? String(key.value ?? "") : "";
      return `${JSON.stringify(name)}: ${printJson(value, innerMargin)}`;
    });
    return wrap("{", entries, "}", margin);
  }
  if (isSeq(node))
    return wrap(
      "[",
      node.items.map((item) => printJson(item, innerMargin)),
      "]",
      margin,
    );
  const value: unknown = isScalar(node) ? node.value : null;
  return JSON.stringify(value) ?? "null";
}

function wrap(open: string, items: readonly string[], close: string, margin: string): string {
  if (items.length === 0) return open + close;
  const gap = open === "[" ? "" : " ";
  const line = open + gap + items.join(", ") + gap + close;
  if (margin.length >= 4 && line.length <= shortest && !line.includes("\n")) return line;
  return `${open}\n${items.map((item) => `${margin}  ${item}`).join(",\n")}\n${margin}${close}`;
}
