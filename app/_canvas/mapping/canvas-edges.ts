import type { NodeKey } from "@/lib/core/flow/node-key";
import type { ArrangedEdge, ArrangedNode, Arrangement, EdgeType } from "@/lib/core/layout/arrange-flow";
import { type FrameLine, isPaired, linesOf } from "@/lib/core/layout/scene/drawn-links";
import { isDownward, routeOf } from "@/lib/core/layout/scene/link-route";
import { indexNodes } from "@/lib/core/layout/scene/node-index";
import { type Scene, sceneOf } from "@/lib/core/layout/scene/scene";
import type { LinkEdge } from "./canvas-nodes";

interface EdgesInput {
  arrangement: Arrangement;
  /** The selected link. */
  edge: string | null;
  mounted?: ReadonlySet<NodeKey> | undefined;
}

/** The links between mounted nodes, and the lines of mounted branches and loops. */
export function toEdges({ arrangement, edge: selected, mounted }: EdgesInput): LinkEdge[] {
  const scene = sceneOf(arrangement);
  const links = mounted ? findLinks(scene, mounted) : arrangement.edges;
  const lines = linesOf(arrangement).filter(
    ({ source, target }) => !mounted || (mounted.has(source.key) && mounted.has(target.key)),
  );
  return [...lines.map(toLine), ...links.map((edge) => toEdge(arrangement, edge, selected))];
}

function findLinks({ positions, links }: Scene, mounted: ReadonlySet<NodeKey>): ArrangedEdge[] {
  const endsAreMounted = (edge: ArrangedEdge, start: NodeKey): boolean => edge.from === start && mounted.has(edge.to);
  return [...mounted].flatMap((key) => links(positions.get(key) ?? -1).filter((edge) => endsAreMounted(edge, key)));
}

const edgeLabels: Record<EdgeType, (sourceName: string, targetName: string) => string> = {
  flow: (sourceName, targetName) => `Link from ${sourceName} to ${targetName}`,
  draft: (sourceName, targetName) => `Link from ${sourceName} to ${targetName}`,
  handoff: (sourceName, targetName) => `${sourceName} may hand over to ${targetName}`,
  delegate: (sourceName, targetName) => `${sourceName} may call ${targetName}`,
  spawn: (sourceName, targetName) => `${sourceName} may start ${targetName}`,
};

const sizeOf = (node: ArrangedNode | undefined) => ({ width: node?.width ?? 0, height: node?.height ?? 0 });

function toEdge(arrangement: Arrangement, edge: ArrangedEdge, selected: string | null): LinkEdge {
  const nodes = indexNodes(arrangement);
  const { key, from: sourceKey, to: targetKey, fromName, toName, type } = edge;
  const route = routeOf(arrangement, edge);
  return {
    id: key,
    type: "link",
    source: sourceKey,
    target: targetKey,
    selected: key === selected,
    ariaLabel: edgeLabels[type](fromName, toName),
    domAttributes: { "aria-roledescription": undefined },
    data: {
      fromName,
      toName,
      type,
      sourceSize: sizeOf(nodes.get(sourceKey)),
      targetSize: sizeOf(nodes.get(targetKey)),
      route,
      runsDown: isDownward(arrangement, nodes.get(sourceKey)),
      isPaired: isPaired(arrangement, edge, route),
      label: "",
      lead: 0,
    },
  };
}

/** No node key begins with a slash. */
const toLine = ({ type, source, target, route, down, label, lead }: FrameLine): LinkEdge => ({
  id: `/${type}/${source.key}//${target.key}`,
  type: "link",
  source: source.key,
  target: target.key,
  selectable: false,
  focusable: false,
  domAttributes: { "aria-hidden": true },
  data: {
    fromName: source.name,
    toName: target.name,
    type,
    sourceSize: sizeOf(source),
    targetSize: sizeOf(target),
    route,
    runsDown: down,
    isPaired: false,
    label,
    lead,
  },
});
