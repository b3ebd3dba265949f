import type { Expression } from "../../flow/expression";
import { type Declaration, type Flow, findDeclaration } from "../../flow/flow";
import type { Link } from "../../flow/graph";
import { lanesOf, membersOf } from "../../kinds/registry";
import type { Swarm } from "../../kinds/swarm";
import { rosterOf } from "../../kinds/swarm-roster";
import { gap, leaf, type Part, type PlacedPart, type Sketch, toColumn, toFrame, toRow } from "./parts";
import { Room } from "./room";
import type { ThumbnailDrawing, ThumbnailLink } from "./thumbnail";

interface Drawing {
  flow: Flow;
  colors: ReadonlyMap<string, number>;
  sketch: Sketch;
  /** Names of the enclosing containers, which ends the recursion of a container in itself. */
  open: readonly string[];
  /** Shared by the whole flow. */
  room: Room;
}

/** Most links of a drawing: more are one dark area. */
const mostLinks = 400;

/** Wider serials at the root are wrapped into rows. */
const longestRow = 330;
const rowGap = 26;
const turnRoom = 9;

/**
 * The drawing of a flow. A container that has no room is a card without its content: names that are used in many places
 * have more places than can be drawn. Null: the root swarm alone is too large.
 */
export function drawFlow(flow: Flow, colors: ReadonlyMap<string, number>): ThumbnailDrawing | null {
  const sketch: Sketch = { nodes: [], links: [] };
  const { swarm } = flow;
  const room = new Room();
  if (!room.take(swarm)) return null;
  const drawing: Drawing = { flow, colors, sketch, open: [], room };
  const root =
    membersOf(swarm).length === 0
      ? toColumn([
          toRow(
            sketch,
            [...flow.agents.keys()].map((name) => drawName(name, drawing)),
            { linked: false },
          ),
        ])
      : swarm.mode === "workflow" && swarm.flow
        ? drawRoot(swarm.flow, drawing)
        : drawSwarm(swarm, drawing);
  root.place(0, 0);
  const { nodes, links } = sketch;
  return { type: "drawing", width: root.width, height: root.height, nodes, links: links.slice(0, mostLinks) };
}

function drawRoot(expression: Expression, drawing: Drawing): Part {
  if (expression.type !== "serial") return drawExpression(expression, drawing);
  const rows: Part[][] = [[]];
  let width = 0;
  for (const member of expression.members) {
    const part = drawExpression(member, drawing);
    if (width > 0 && width + gap.along + part.width > longestRow) {
      rows.push([]);
      width = 0;
    }
    rows.at(-1)?.push(part);
    width += (width > 0 ? gap.along : 0) + part.width;
  }
  const { sketch } = drawing;
  const parts = rows.map((members) => toRow(sketch, members, { linked: true }));
  return parts.length === 1 && parts[0] ? parts[0] : toWrapped(sketch, parts);
}

/** Rows below each other; the end of each leads to the start of the next. */
function toWrapped(sketch: Sketch, rows: readonly Part[]): Part {
  const margin = 14;
  const width = Math.max(...rows.map((row) => row.width)) + 2 * margin;
  const height = rows.reduce((sum, row) => sum + row.height + rowGap, -rowGap);
  return {
    width,
    height,
    place(x, y) {
      let top = y;
      let before: PlacedPart | undefined;
      for (const row of rows) {
        const placed = row.place(x + margin, top);
        if (before) sketch.links.push(...drawTurn(before, placed));
        before = placed;
        top += row.height + rowGap;
      }
      return { ins: [], outs: [], rect: { x, y, width, height } };
    },
  };
}

/** From the ends of a row around its right side to the starts of the next: between both rows nothing is crossed. */
function drawTurn({ outs, rect: row }: PlacedPart, { ins, rect: nextRow }: PlacedPart): ThumbnailLink[] {
  const [right, left] = [row.x + row.width + turnRoom, nextRow.x - turnRoom];
  const turn = nextRow.y - rowGap / 2;
  const [firstOut] = outs.map(([, y]) => y).sort((a, b) => a - b);
  const lastIn = Math.max(...ins.map(([, y]) => y));
  if (firstOut === undefined || ins.length === 0) return [];
  return [
    ...outs.map(([x, y]): ThumbnailLink => ["line", x, y, right, y]),
    ["line", right, firstOut, right, turn],
    ["line", right, turn, left, turn],
    ["line", left, turn, left, lastIn],
    ...ins.map(([x, y]): ThumbnailLink => ["flow", left, y, x, y]),
  ];
}

function drawExpression(expression: Expression, drawing: Drawing): Part {
  if (expression.type === "name") return drawName(expression.name, drawing);
  const parts = expression.members.map((member) => drawExpression(member, drawing));
  return expression.type === "serial" ? toRow(drawing.sketch, parts, { linked: true }) : toColumn(parts);
}

const deepest = 8;

function drawName(name: string, drawing: Drawing): Part {
  const { flow, colors, sketch, open, room } = drawing;
  const declaration = findDeclaration(flow, name);
  const isClosed = open.includes(name) || open.length >= deepest;
  if (!declaration || declaration.type === "agent" || isClosed || !room.take(declaration))
    return leaf(sketch, "card", colors.get(name) ?? -1);
  return drawContainer(declaration, { ...drawing, open: [...open, name] });
}

function drawContainer(declaration: Exclude<Declaration, { type: "agent" }>, drawing: Drawing): Part {
  const { sketch } = drawing;
  switch (declaration.type) {
    case "group":
      return declaration.flow ? drawExpression(declaration.flow, drawing) : leaf(sketch, "card", -1);
    case "swarm":
      return declaration.mode === "workflow" && declaration.flow
        ? toFrame(sketch, "frame", drawExpression(declaration.flow, drawing))
        : drawSwarm(declaration, drawing);
    case "approval":
      return leaf(sketch, "hexagon", -1);
    case "loop":
      return drawLoop(drawLanes(declaration, drawing), sketch);
    default: {
      const lanes = drawLanes(declaration, drawing);
      const choice = leaf(sketch, "diamond", -1);
      return lanes ? toRow(sketch, [choice, lanes], { linked: true }) : choice;
    }
  }
}

function drawLanes(declaration: Declaration, drawing: Drawing): Part | null {
  const lanes = lanesOf(declaration).flatMap(([, flow]) => (flow ? [drawExpression(flow, drawing)] : []));
  return lanes.length > 0 ? toColumn(lanes) : null;
}

/** At both ends, so that the frame is in line with its members: the link back is above them. */
const loopInset = 22;

function drawLoop(content: Part | null, sketch: Sketch): Part {
  return toFrame(sketch, "frame", content ?? leaf(sketch, "card", -1), {
    end: loopInset,
    onPlaced({ ins, outs, rect }) {
      const [[start] = [], [end] = []] = [outs, ins];
      if (!start || !end) return;
      const isNarrow = rect.width <= 46;
      sketch.links.push(["back", start[0] - (isNarrow ? 12 : 23), rect.y, end[0] + (isNarrow ? 12 : 23), rect.y]);
    },
  });
}

function drawSwarm(swarm: Swarm, drawing: Drawing): Part {
  const { sketch } = drawing;
  const names = membersOf(swarm);
  const parts = (members: readonly string[]): Part[] => members.map((name) => drawName(name, drawing));
  if (swarm.mode === "workflow") return toFrame(sketch, "dashed", toRow(sketch, parts(names), { linked: false }));
  const [lead = "", ...workers] = rosterOf(swarm);
  if (swarm.mode === "handoff") return toFrame(sketch, "frame", drawHandoff(swarm, drawing));
  if (swarm.mode === "team") return toFrame(sketch, "frame", drawTeam(sketch, drawName(lead, drawing), parts(workers)));
  const helpers = workers.length > 0 ? parts(workers) : Array.from({ length: 3 }, () => leaf(sketch, "ghost", -1));
  const row = toRow(sketch, [drawName(lead, drawing), toColumn(helpers)], { linked: true, space: 62 });
  return toFrame(sketch, "dashed", row);
}

const workersOfRow = 6;

/** The lead above, with spokes to the members below. */
function drawTeam(sketch: Sketch, lead: Part, workers: readonly Part[]): Part {
  const rows: Part[] = [];
  const placedWorkers: PlacedPart[] = [];
  for (let i = 0; i < workers.length; i += workersOfRow) {
    const members = workers.slice(i, i + workersOfRow).map((part) => ({
      ...part,
      place(x: number, y: number) {
        const placed = part.place(x, y);
        placedWorkers.push(placed);
        return placed;
      },
    }));
    rows.push(toRow(sketch, members, { linked: false }));
  }
  const width = Math.max(lead.width, ...rows.map((row) => row.width));
  const height = rows.reduce((sum, row) => sum + row.height + gap.across, lead.height + 44 - gap.across);
  return {
    width,
    height: rows.length > 0 ? height : lead.height,
    place(x, y) {
      const { rect, ...ends } = lead.place(x + Math.round((width - lead.width) / 2), y);
      let top = y + lead.height + 44;
      for (const row of rows) {
        row.place(x + Math.round((width - row.width) / 2), top);
        top += row.height + gap.across;
      }
      const start = [rect.x + rect.width / 2, rect.y + rect.height] as const;
      for (const { rect: to } of placedWorkers) sketch.links.push(["spoke", ...start, to.x + to.width / 2, to.y]);
      return { ...ends, rect: { x, y, width, height } };
    },
  };
}

/** Between the cards of a column, which may hand over to each other: room for an arrow, less in a long column. */
const handoffSpace = (cards: number): number => Math.max(14, Math.min(36, Math.round(72 / cards)));

/** Members in columns by their distance from the first. */
function drawHandoff(swarm: Swarm, drawing: Drawing): Part {
  const { sketch } = drawing;
  const links = swarm.edges ?? [];
  const placedByName = new Map<string, PlacedPart>();
  const columns = toRanks(rosterOf(swarm), links).map((names) =>
    toColumn(
      names.map((name) => {
        const part = drawName(name, drawing);
        return {
          ...part,
          place(x: number, y: number) {
            const placed = part.place(x, y);
            placedByName.set(name, placed);
            return placed;
          },
        };
      }),
      handoffSpace(names.length),
    ),
  );
  const row = toRow(sketch, columns, { linked: false, space: 44 });
  return {
    ...row,
    place(x, y) {
      const placed = row.place(x, y);
      linkHandoffs(sketch, links, placedByName);
      return { ...placed, ins: placed.ins.slice(0, 1) };
    },
  };
}

function toRanks(roster: readonly string[], links: readonly Link[]): string[][] {
  const rest = new Set(roster);
  const ranks: string[][] = [];
  for (let rank = roster.slice(0, 1); rank.length > 0; ) {
    for (const name of rank) rest.delete(name);
    ranks.push(rank);
    const targets = new Set(links.flatMap(([source, target]) => (rank.includes(source) ? [target] : [])));
    rank = [...rest].filter((name) => targets.has(name));
  }
  return rest.size > 0 ? [...ranks, [...rest]] : ranks;
}

function linkHandoffs(sketch: Sketch, links: readonly Link[], placedByName: ReadonlyMap<string, PlacedPart>): void {
  const pairs = new Set(links.map(([source, target]) => `${source}\n${target}`));
  for (const [source, target] of links) {
    const [a, b] = [placedByName.get(source)?.rect, placedByName.get(target)?.rect];
    const isPair = pairs.has(`${target}\n${source}`);
    if (!a || !b || source === target) continue;
    const isForward = a.x < b.x || (a.x === b.x && a.y < b.y);
    // A pair is one line with two heads.
    if (isPair && !isForward) continue;
    if (a.x === b.x) {
      const ends = isForward ? [a.y + a.height, b.y] : [a.y, b.y + b.height];
      const [y1 = 0, y2 = 0] = ends;
      sketch.links.push([isPair ? "updown" : "down", a.x + a.width / 2, y1, b.x + b.width / 2, y2]);
    } else if (isForward)
      sketch.links.push([isPair ? "both" : "flow", a.x + a.width, a.y + a.height / 2, b.x, b.y + b.height / 2]);
    else sketch.links.push(["flow", a.x, a.y + a.height / 2, b.x + b.width, b.y + b.height / 2]);
  }
}
