import { AgentNumbers } from "../../flow/agent-numbers";
import { type HumanInputRequest, type RunError, type RunNodeKind, runNodeKinds } from "../../run/events/events";
import { isTerminal, type RunStatus, runStatuses } from "../../run/events/run-status";
import { addUsage, type Cost, noUsage, toCost, type Usage } from "../../run/events/usage";
import type { StepWarning } from "../../run/events/warnings";
import { LiveTexts } from "./live-texts";
import { emptyColumns } from "./span-columns";
import { StringTable } from "./string-table";

/** The run as a whole. Replaced, never changed. */
export interface RunFacts {
  status: RunStatus;
  flow: string;
  /** Milliseconds since the epoch. */
  startedAt?: number;
  endedAt?: number;
  error?: RunError;
  simulated: boolean;
  /** Names of the agents that the flow contains, in order; missing: not known. */
  plan?: readonly string[];
  /** Of each agent of `plan`: a fingerprint of its settings; missing: not known. */
  settings?: Readonly<Record<string, string>>;
}

/** A failed attempt of a model call. */
export interface SpanAttempt {
  at: number;
  code: string;
  /** Missing: nothing was tried after it. */
  waitMs?: number | undefined;
  /** How long the next one then waited for its turn, in milliseconds: a part of the call's queue time. */
  queuedMs?: number | undefined;
}

/** Milliseconds that attempts after the first one waited for their turn. */
export const sumQueuedLater = (attempts: readonly Pick<SpanAttempt, "queuedMs">[] = []): number =>
  attempts.reduce((sum, { queuedMs = 0 }) => sum + queuedMs, 0);

/** What a person is asked just now. `number`: the event that asked. */
export type OpenQuestion = HumanInputRequest & { at: number; number: number };

const kindNumbers = new Map(runNodeKinds.map((kind, number) => [kind, number]));
const statusNumbers = new Map(runStatuses.map((status, number) => [status, number]));

/** The place of a kind in its column. */
export const kindNumber = (kind: RunNodeKind): number => kindNumbers.get(kind) ?? 0;
/** The place of a status in its column. */
export const statusNumber = (status: RunStatus): number => statusNumbers.get(status) ?? 0;

/** The texts that a trace begins with. */
export interface TraceTexts {
  names?: readonly string[];
  tails?: readonly string[];
  /** The agents that the flow declares, in order. */
  agents?: readonly string[];
}

/** Bits of a span's flags. */
export const flag = { simulated: 1, estimated: 2, failedBelow: 4, warned: 8, unknownCost: 16 } as const;

/**
 * The steps of a run as columns of numbers, without their texts: a hundred thousand take some 25 MB. Span `i` is the RunNode
 * of id `i + 1`; ids have no gaps, and a parent comes before its children. The own fields of a view keep the values that they
 * had when it was made; columns and tables are those of the trace, which continues.
 */
export class TraceView {
  length = 0;
  version = 0;
  shape = 0;
  /** Number of the last event that is in here. */
  seq = 0;
  run: RunFacts = { status: "INIT", flow: "", simulated: false };
  warningCount = 0;
  /** The agent that ended last; -1: none has. */
  newestAgent = -1;
  readonly columns = emptyColumns();
  readonly names: StringTable;
  readonly tails: StringTable;
  /** The declared agents in order, then others in the order of their first steps. */
  readonly agents: AgentNumbers;
  readonly queued = new Map<number, number>();
  readonly attempts = new Map<number, readonly SpanAttempt[]>();
  readonly errors = new Map<number, string>();
  readonly warnings = new Map<number, readonly StepWarning[]>();
  readonly links = new Map<number, readonly [from: string, to: string]>();
  /** Steps that a fork took from its parent. */
  readonly reused = new Set<number>();
  /** When these ran, in milliseconds since the epoch, as far as it is known: they take no time in the fork. */
  readonly ran = new Map<number, readonly [start: number, end: number]>();
  readonly questions = new Map<number, OpenQuestion>();
  /** Agents and calls in which a tool asks a person just now. */
  readonly asking = new Set<number>();
  readonly texts = new LiveTexts();

  constructor({ names, tails, agents }: TraceTexts = {}) {
    this.names = new StringTable(names);
    this.tails = new StringTable(tails);
    this.agents = new AgentNumbers(agents);
  }

  kindOf(span: number): RunNodeKind {
    return runNodeKinds[this.columns.kind[span] ?? 0] ?? "swarm";
  }

  statusOf(span: number): RunStatus {
    return runStatuses[this.columns.status[span] ?? 0] ?? "INIT";
  }

  /**
   * The status to display: while a run waits for human input, so do its first step, whatever still runs below it, and the agents
   * with the tools that ask; while it is paused, so are its steps.
   */
  shownStatusOf(span: number): RunStatus {
    const status = this.statusOf(span);
    if (status !== "RUNNING") return status;
    if (this.run.status === "PAUSED") return "PAUSED";
    return this.asking.has(span) || (span === 0 && this.run.status === "WAITING") ? "WAITING" : status;
  }

  /** The status at a moment: null before the span began, RUNNING until it ended, then its final status. */
  statusAt(span: number, moment: number): RunStatus | null {
    const { start, end } = this.columns;
    if ((start[span] ?? 0) > moment) return null;
    return (end[span] ?? Number.NaN) <= moment ? this.statusOf(span) : "RUNNING";
  }

  /** The number of the colour of an agent, assigned as on the canvas (see `AgentNumbers`); undefined for other names. */
  agentNumberOf(name: string): number | undefined {
    return this.agents.byName.get(name);
  }

  nameOf(span: number): string {
    return this.names.at(this.columns.name[span] ?? -1);
  }

  /** Whether a span is another one or inside of it. */
  isWithin(span: number, outer: number): boolean {
    const { parent } = this.columns;
    let ancestor = span;
    while (ancestor > outer) ancestor = parent[ancestor] ?? -1;
    return ancestor === outer;
  }

  /** The stable path of a span's RunNode. */
  pathOf(span: number): string {
    const { parent, cut, tail } = this.columns;
    let path = "";
    const ancestors: number[] = [];
    for (let ancestor = span; ancestor >= 0 && ancestor < this.length; ancestor = parent[ancestor] ?? -1)
      ancestors.push(ancestor);
    for (const ancestor of ancestors.reverse())
      path = path.slice(0, path.length - (cut[ancestor] ?? 0)) + this.tails.at(tail[ancestor] ?? -1);
    return path;
  }

  isSimulated(span: number): boolean {
    return ((this.columns.flags[span] ?? 0) & flag.simulated) !== 0;
  }

  /** Whether any count of the span was estimated. */
  isEstimated(span: number): boolean {
    return ((this.columns.flags[span] ?? 0) & flag.estimated) !== 0;
  }

  /** Whether a step below the span failed, also when the span itself did not. */
  hasFailedBelow(span: number): boolean {
    return ((this.columns.flags[span] ?? 0) & flag.failedBelow) !== 0;
  }

  /** Whether the span, or a step below it, has a warning. */
  isWarned(span: number): boolean {
    return ((this.columns.flags[span] ?? 0) & flag.warned) !== 0;
  }

  /** When the span ended, which is never before it began; what still runs ends `now`. */
  endOf(span: number, now: number): number {
    const { start, end } = this.columns;
    const ended = end[span] ?? Number.NaN;
    return Number.isNaN(ended) ? Math.max(now, start[span] ?? 0) : ended;
  }

  /** What the span and everything below it cost. */
  costOf(span: number): Cost {
    return toCost(this.columns.cost[span] ?? 0, ((this.columns.flags[span] ?? 0) & flag.unknownCost) !== 0);
  }

  /** What the span and everything below it used. */
  usageOf(span: number): Usage {
    const { input, output, cached, reasoning, calls } = this.columns;
    return {
      input: input[span] ?? 0,
      output: output[span] ?? 0,
      cached: cached[span] ?? 0,
      reasoning: reasoning[span] ?? 0,
      calls: calls[span] ?? 0,
      ...this.costOf(span),
      estimated: this.isEstimated(span),
    };
  }

  /** What the model calls of the span itself used: those of the agents that it called are their own. */
  ownUsageOf(span: number): Usage {
    const { firstChild, nextSibling } = this.columns;
    let usage = noUsage;
    for (let child = firstChild[span] ?? -1; child >= 0; child = nextSibling[child] ?? -1)
      if (this.kindOf(child) === "llm_call") usage = addUsage(usage, this.usageOf(child));
    return usage;
  }

  isOpen(span: number): boolean {
    return span >= 0 && span < this.length && !isTerminal(this.statusOf(span));
  }
}
