import { printFlow } from "../../dsl/print";
import { type Expression, sinksOf } from "../../flow/expression";
import { type Declaration, type Flow, findDeclaration } from "../../flow/flow";
import { lanesOf, membersOf } from "../../kinds/registry";
import { rosterOf } from "../../kinds/swarm-roster";
import type { RunEventOf } from "../events/events";
import { isDeclaredKind } from "../events/run-node-traits";

/** The flows of a run and of a fork of it. */
export interface FlowChange {
  before: Flow;
  after: Flow;
}

export interface RecordedNode {
  start: RunEventOf<"node.started">;
  parent: RecordedNode | undefined;
}

/** Where a name is in its declaration: a number for all that precedes it there, and the names directly before it. */
interface Place {
  preceding: number;
  before: readonly string[];
}

/**
 * The nodes of a run that cannot stand for nodes of the changed flow: it has no such node at that place, or other ones come
 * before it, so that its input is another. A node that contains one of them, or contains others than before, is one of them,
 * too; what is inside it may not be. `nodes` are in the order of their starts. The settings of agents do not count.
 */
export function findAlteredNodes<N extends RecordedNode & { parent: N | undefined }>(
  nodes: Iterable<N>,
  change: FlowChange,
): Set<N> {
  const shapes = new FlowShapes(change);
  const altered = new Set<N>();
  const displaced = new Set<N>();
  /** By node: the names of the nodes directly inside it that are altered. */
  const alteredNames = new Map<N | undefined, Set<string>>();
  const alter = (node: N): void => {
    for (let each: N | undefined = node; each && !altered.has(each); each = each.parent) {
      altered.add(each);
      const names = alteredNames.get(each.parent) ?? new Set();
      alteredNames.set(each.parent, names.add(each.start.name));
    }
  };
  /** All nodes before a node have ended when it starts, so that each answer is final. */
  const followsAltered = memoize((parent: N, before: readonly string[]) =>
    before.some((name) => alteredNames.get(parent)?.has(name)),
  );
  const isDisplaced = ({ start, parent }: N): boolean => {
    if (!parent) return false;
    if (displaced.has(parent)) return true;
    const place = isDeclaredKind(start.kind) ? shapes.findPlace(start, parent) : inOrder;
    if (place === null) return true;
    return place === inOrder ? alteredNames.has(parent) : followsAltered(parent, place.before);
  };
  for (const node of nodes) {
    if (isDisplaced(node)) displaced.add(node);
    if (displaced.has(node) || !shapes.isSame(node)) alter(node);
  }
  return altered;
}

/** Of a node that may depend on everything that started before it in the node around it. */
const inOrder = "in-order";

/** Two flows, compared by what contains what, and in which order. */
class FlowShapes {
  readonly #places = new Map<Declaration, ReadonlyMap<string, Place>>();
  readonly #sameShapes = new Map<Declaration, boolean>();
  readonly #numbers = new Map<string, number>();

  constructor(private readonly change: FlowChange) {}

  /** Whether a node contains what it contained before. */
  isSame(node: RecordedNode): boolean {
    if (!isDeclaredKind(node.start.kind)) return true;
    return this.#isSameShape(findDeclared(this.change.before, node), findDeclared(this.change.after, node));
  }

  /** The place of a declared node inside another, if both flows have it there. */
  findPlace({ name, kind }: RecordedNode["start"], parent: RecordedNode): Place | typeof inOrder | null {
    const container = toContainer(parent);
    const [before, after] = [findDeclared(this.change.before, container), findDeclared(this.change.after, container)];
    if (!before || !after || modeOf(before) !== modeOf(after)) return null;
    if (findDeclaration(this.change.after, name)?.type !== kind) return null;
    if (after.type === "swarm" && before.type === "swarm" && after.mode !== "workflow") {
      const isMember = rosterOf(after).includes(name) && rosterOf(after)[0] === rosterOf(before)[0];
      return isMember ? inOrder : null;
    }
    const place = this.#placesOf(after).get(name);
    return place && place.preceding === this.#placesOf(before).get(name)?.preceding ? place : null;
  }

  #isSameShape(before: Declaration | null, after: Declaration | null): boolean {
    if (!before || !after) return before === after;
    const known = this.#sameShapes.get(after);
    if (known !== undefined) return known;
    this.#sameShapes.set(after, true);
    const isSame =
      toShape(before) === toShape(after) &&
      membersOf(after).every((name) =>
        this.#isSameShape(findDeclaration(this.change.before, name), findDeclaration(this.change.after, name)),
      );
    this.#sameShapes.set(after, isSame);
    return isSame;
  }

  #placesOf(declaration: Declaration): ReadonlyMap<string, Place> {
    const known = this.#places.get(declaration);
    if (known) return known;
    const places = new Map<string, Place>();
    const add = (expression: Expression, place: Place): void => {
      if (expression.type === "name") places.set(expression.name, place);
      else if (expression.type === "parallel") for (const member of expression.members) add(member, place);
      else {
        let { preceding, before } = place;
        for (const member of expression.members) {
          add(member, { preceding, before });
          preceding = this.#numberOf(`${preceding} ${printFlow(member)}`);
          before = sinksOf(member);
        }
      }
    };
    for (const [lane, flow] of lanesOf(declaration))
      if (flow) add(flow, { preceding: this.#numberOf(`lane ${lane}`), before: [] });
    this.#places.set(declaration, places);
    return places;
  }

  #numberOf(text: string): number {
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }
}

/** The declared node that a node is in, or is itself, and that can contain others. */
function toContainer(node: RecordedNode): RecordedNode {
  const { kind } = node.start;
  return isDeclaredKind(kind) && kind !== "agent" ? node : node.parent ? toContainer(node.parent) : node;
}

const findDeclared = (flow: Flow, { start: { path, name } }: RecordedNode): Declaration | null =>
  path === "/" ? flow.swarm : findDeclaration(flow, name);

const modeOf = (declaration: Declaration): string =>
  "mode" in declaration ? `${declaration.type} ${declaration.mode}` : declaration.type;

const toShape = (declaration: Declaration): string =>
  JSON.stringify([
    modeOf(declaration),
    membersOf(declaration),
    lanesOf(declaration).map(([lane, flow]) => [lane, flow && printFlow(flow)]),
  ]);

/** Keeps the answers of a function by both of its arguments. */
function memoize<A extends object, B extends object>(answer: (a: A, b: B) => boolean): (a: A, b: B) => boolean {
  const answers = new WeakMap<A, WeakMap<B, boolean>>();
  return (a, b) => {
    const ofFirst = answers.get(a) ?? new WeakMap<B, boolean>();
    answers.set(a, ofFirst);
    const known = ofFirst.get(b) ?? answer(a, b);
    ofFirst.set(b, known);
    return known;
  };
}
