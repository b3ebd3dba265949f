import type { ArrangedNode } from "./arrange";
import { membersOf } from "./check";
import { type Expression, nameExpression } from "./expression";
import { type Flow, findDeclaration, type Group, type Swarm } from "./flow";
import { Graph, GraphError, type Link } from "./graph";
import { type NodeKey, nodeKey } from "./keys";

/** Pixels, on a grid of 4. */
export const cardSize = { width: 220, height: 84 } as const;
export const gap = { along: 64, across: 24 } as const;
/** What a frame keeps free round its members; the top holds its header. */
export const frameInset = { side: 20, top: 44, bottom: 20 } as const;

/** Frames nest this deep; what is deeper is drawn as a card. */
const deepestFrame = 40;

interface Sized {
  width: number;
  height: number;
}

/** The series-parallel tree with sizes: the result of pass one. */
export type Box = CardBox | FrameBox | ListBox;
export interface CardBox extends Sized {
  type: "card";
  key: NodeKey;
  facts: BoxFacts;
}
export interface FrameBox extends Sized {
  type: "frame";
  key: NodeKey;
  facts: BoxFacts;
  content: Box;
}
export interface ListBox extends Sized {
  type: "serial" | "parallel";
  members: Box[];
  scope: NodeKey;
  /** Serial: whether its members are linked one to the next. */
  linked: boolean;
  /** Links of a drawing that no text can say, by name. */
  draft?: readonly Link[];
}
type BoxFacts = Pick<ArrangedNode, "key" | "name" | "kind" | "groupType" | "swarmType" | "frame" | "placed">;

interface Building {
  flow: Flow;
  direction: "right" | "down";
  scope: NodeKey;
  part: Group | Swarm;
  /** Names of the frames round it: a part that holds itself stops here. */
  open: readonly string[];
}

/** Pass one for what a swarm or group holds. */
export function buildBox(building: Building): Box {
  const { part } = building;
  if (part.flow) return build(part.flow, building);
  if ("edges" in part && part.edges) return buildDraft(part, building);
  const members = membersOf(part).map((name) => build(nameExpression(name), building));
  return list("parallel", members, building, false);
}

function build(expression: Expression, building: Building): Box {
  if (expression.type === "name") return buildName(expression.name, building);
  const members = expression.members.map((member) => build(member, building));
  return list(expression.type, members, building, true);
}

function buildName(name: string, { flow, direction, scope, open }: Building): Box {
  const key = nodeKey(scope, name);
  const found = findDeclaration(flow, name);
  const facts = {
    key,
    name,
    kind: found?.kind ?? ("unknown" as const),
    ...(found?.kind === "group" ? { groupType: found.value.type } : {}),
    ...(found?.kind === "swarm" ? { swarmType: found.value.type } : {}),
    placed: true,
  };
  if (!found || found.kind === "agent" || open.includes(name) || open.length >= deepestFrame)
    return { type: "card", key, facts: { ...facts, frame: false }, ...cardSize };
  const content = buildBox({ flow, direction, scope: key, part: found.value, open: [...open, name] });
  return {
    type: "frame",
    key,
    facts: { ...facts, frame: true },
    content,
    width: Math.max(content.width, cardSize.width) + 2 * frameInset.side,
    height: Math.max(content.height, cardSize.height / 2) + frameInset.top + frameInset.bottom,
  };
}

function list(type: "serial" | "parallel", members: Box[], building: Building, linked: boolean): ListBox {
  const along = type === "serial" ? building.direction === "right" : building.direction === "down";
  const space = type === "serial" ? gap.along : gap.across;
  let sum = 0;
  let most = 0;
  for (const member of members) {
    sum += (along ? member.width : member.height) + space;
    most = Math.max(most, along ? member.height : member.width);
  }
  const length = Math.max(0, sum - space);
  const size = along ? { width: length, height: most } : { width: most, height: length };
  return { type, members, scope: building.scope, linked, ...size };
}

/** A draft has no tree: its longest-path ranks are drawn one after another. */
function buildDraft(swarm: Swarm, building: Building): Box {
  const edges = swarm.edges ?? [];
  const names = membersOf(swarm);
  let layers = [names];
  try {
    layers = Graph.of(names, edges).layers();
  } catch (error) {
    if (!(error instanceof GraphError)) throw error;
  }
  const ranks = layers.map((layer) =>
    list(
      "parallel",
      layer.map((name) => buildName(name, building)),
      building,
      false,
    ),
  );
  return { ...list("serial", ranks, building, false), draft: edges };
}
