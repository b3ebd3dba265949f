import { emptyLayout } from "../../../flow/edit";
import type { BuiltInNodeType } from "../../../kinds/registry";
import { type ArrangedNode, type Arrangement, arrangeFlow, type EdgeType } from "../../../layout/arrange-flow";
import type { Exported, ExportSource } from "./exported";

/** The flow as a Mermaid flowchart: a subgraph for each frame, ids that never collide, labels escaped. */
export function exportMermaid({ flow, layout }: ExportSource): Exported {
  const arrangement = arrangeFlow(flow, { ...(layout ?? emptyLayout), folded: undefined });
  const ids = new Map(arrangement.nodes.map(({ key }, index) => [key, `n${index + 1}`]));
  const id = (key: string): string => ids.get(key) ?? "n0";
  const links = arrangement.edges.map(
    ({ from: source, to: target, type }) => `  ${id(source)} ${arrows[type]} ${id(target)}`,
  );
  const lines = [
    `flowchart ${arrangement.direction === "down" ? "TD" : "LR"}`,
    ...printNodes(arrangement, id),
    ...links,
    ...printStyles(arrangement, id),
  ];
  return { text: `${lines.join("\n")}\n`, notes: [], losses: [] };
}

const arrows: Record<EdgeType, string> = {
  flow: "-->",
  draft: "-.->",
  handoff: "-. hands over .->",
  delegate: "-. delegates .->",
  spawn: "-. starts .->",
};

/** The brackets of each kind's shape, before and after the label. */
const shapes: Readonly<Record<BuiltInNodeType | "unknown", readonly [open: string, close: string]>> = {
  agent: ["[", "]"],
  group: ["[[", "]]"],
  swarm: ["[[", "]]"],
  branch: ["{", "}"],
  router: ["{", "}"],
  loop: ["{{", "}}"],
  approval: ["[/", "/]"],
  unknown: ["(", ")"],
};

const hasShape = (type: string): type is keyof typeof shapes => Object.hasOwn(shapes, type);
const shapeOf = (type: string) => shapes[hasShape(type) ? type : "unknown"];

/** Frames open and close around their members; without recursion, because frames come before their members. */
function printNodes({ nodes }: Arrangement, id: (key: string) => string): string[] {
  const lines: string[] = [];
  const open: string[] = [];
  const closeTo = (parent: string | undefined): void => {
    while (open.length > 0 && open.at(-1) !== parent) {
      open.pop();
      lines.push(`${"  ".repeat(open.length + 1)}end`);
    }
  };
  for (const node of nodes) {
    closeTo(node.parent);
    const margin = "  ".repeat(open.length + 1);
    const text = escapeLabel(titleOf(node));
    if (node.frame) {
      lines.push(`${margin}subgraph ${id(node.key)} ["${text}"]`);
      open.push(node.key);
    } else {
      const [opening, closing] = shapeOf(node.type);
      lines.push(`${margin}${id(node.key)}${opening}"${text}"${closing}`);
    }
  }
  closeTo(undefined);
  return lines;
}

function titleOf({ name, lane, frame, mode, type }: ArrangedNode): string {
  const sort = (mode === "workflow" ? "swarm" : mode) ?? type;
  return `${lane === undefined ? "" : `${lane}: `}${name}${frame ? ` (${sort})` : ""}`;
}

function printStyles({ nodes }: Arrangement, id: (key: string) => string): string[] {
  const waiting = nodes.filter(({ placed, type: kind }) => !placed || kind === "unknown").map(({ key }) => id(key));
  return waiting.length === 0
    ? []
    : ["  classDef waiting stroke-dasharray: 4 3", `  class ${waiting.join(",")} waiting`];
}

/**
 * Characters that mean something to Mermaid or HTML, as Mermaid's own codes. Mermaid takes directives (`%%{init: …}%%`)
 * and comments (`%%`) out of the whole text before it looks at quotes, `$$` begins a formula and `fa:fa-` an icon: so
 * all ASCII signs that names do not need often are written as codes.
 */
const escapeLabel = (text: string): string =>
  text
    .replaceAll(/["#$%&*;<>@[\\\]^`{|}~]|:(?=fa-)/g, (sign) => `#${sign.codePointAt(0)};`)
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ");
