import type { RunEvent, RunNodeKind } from "./events";
import { isWorkKind } from "./run-node-traits";
import { isTerminal, type RunStatus } from "./run-status";

interface StoredStep {
  id: number;
  parent?: number | undefined;
  kind: RunNodeKind;
  status: RunStatus;
}

interface OpenStep {
  parent: OpenStep | undefined;
  isWork: boolean;
  isWaiting: boolean;
  openChildren: number;
}

/** Whether some step of a run is at work, and whether one waits for a person. Follows the run's events. */
export class OpenWork {
  readonly #steps = new Map<number, OpenStep>();
  #working = 0;
  #waiting = 0;

  /** `state`: what earlier processes stored of the run. */
  constructor(state?: { nodes: readonly StoredStep[] }) {
    for (const { id, parent, kind, status } of state?.nodes ?? []) {
      if (isTerminal(status)) continue;
      this.#open(id, parent, isWorkKind(kind));
      if (status === "WAITING") this.#wait(id, true);
    }
  }

  get isAtWork(): boolean {
    return this.#working > 0;
  }

  /** Whether nothing happens before a person answers. */
  get isOnlyWaiting(): boolean {
    return this.#waiting > 0 && this.#working === 0;
  }

  take(event: RunEvent): void {
    if (event.type === "node.started") this.#open(event.id, event.parent, isWorkKind(event.kind));
    else if (event.type === "node.finished") this.#close(event.id);
    else if (event.type === "answer.requested") this.#wait(event.id, true);
    else if (event.type === "answer.given") this.#wait(event.id, false);
  }

  #open(id: number, parentId: number | undefined, isWork: boolean): void {
    const parent = parentId === undefined ? undefined : this.#steps.get(parentId);
    const step = { parent, isWork, isWaiting: false, openChildren: 0 };
    this.#steps.set(id, step);
    this.#count(step, 1);
    if (parent) this.#change(parent, { openChildren: parent.openChildren + 1 });
  }

  #close(id: number): void {
    const step = this.#steps.get(id);
    if (!step) return;
    this.#steps.delete(id);
    this.#count(step, -1);
    if (step.parent) this.#change(step.parent, { openChildren: step.parent.openChildren - 1 });
  }

  #wait(id: number, isWaiting: boolean): void {
    const step = this.#steps.get(id);
    if (step) this.#change(step, { isWaiting });
  }

  #change(step: OpenStep, change: Partial<OpenStep>): void {
    this.#count(step, -1);
    Object.assign(step, change);
    this.#count(step, 1);
  }

  #count(step: OpenStep, by: 1 | -1): void {
    if (isWorking(step)) this.#working += by;
    if (step.isWaiting) this.#waiting += by;
  }
}

/** What contains an open step leaves the work to it. */
const isWorking = ({ isWork, isWaiting, openChildren }: OpenStep): boolean =>
  isWork && !isWaiting && openChildren === 0;
