import { namesOf } from "../../flow/expression";
import type { Declaration } from "../../flow/flow";
import { lanesOf } from "../../kinds/registry";

/** Most cards and frames of a drawing. */
const mostPlaces = 120;

/**
 * The places that a drawing has left. A container takes those of its content when it is opened, each time: a few names that
 * contain each other have exponentially many places.
 */
export class Room {
  #left = mostPlaces;
  /** By declaration: the places that it takes with its content. */
  readonly #sizes = new Map<Declaration, number>();

  /** Whether there was room for the content of the declaration. */
  take(declaration: Declaration): boolean {
    const size = this.#sizes.get(declaration) ?? measure(declaration);
    this.#sizes.set(declaration, size);
    if (size > this.#left) return false;
    this.#left -= size;
    return true;
  }
}

/** An orchestration without workers shows three that it may start. */
const ghosts = 3;
const linksOfPlace = 8;

function measure(declaration: Declaration): number {
  let places = 1;
  for (const [, flow] of lanesOf(declaration)) if (flow) places += namesOf(flow).length;
  if (declaration.type !== "swarm") return places;
  const { agents = [], edges = [], mode } = declaration;
  return places + agents.length + Math.ceil(edges.length / linksOfPlace) + (mode === "orchestrate" ? ghosts : 0);
}
