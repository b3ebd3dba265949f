import { MessageSquareText, TriangleAlert } from "lucide-react";
import { memo, type RefObject, useEffect, useRef } from "react";
import { agentColor } from "@/app/_ui/agent-color";
import { AgentTile } from "@/app/_ui/badges/agent-tile";
import { statusStyles } from "@/app/_ui/badges/status-badge";
import { formatDuration, formatUsageCost, formatUsageTokens } from "@/app/_ui/format/format";
import { countNouns } from "@/lib/core/flow/format-count";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { isTerminal, type RunStatus, type ShownStatus } from "@/lib/core/run/events/run-status";
import { toShownStatus } from "@/lib/core/trace/model/shown-status";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import type { AgentStep } from "@/lib/core/trace/timeline/agent-steps";

/** What the panel displays: the answer of the run, a step, or an agent that has not started. */
export type RunChoice = { type: "answer" } | { type: "step"; span: number } | { type: "node"; key: NodeKey };

/** An agent of the flow that the run has not reached. */
export interface IdleAgent {
  key: NodeKey;
  name: string;
  number: number | undefined;
}

const mostRows = 200;
const columns =
  "grid grid-cols-[1.25rem_minmax(0,1fr)_1rem_4rem] items-center gap-x-2 px-3 @md:grid-cols-[1.25rem_minmax(0,1fr)_1rem_4.5rem_4rem_4.25rem_4rem] @max-3xs:grid-cols-[1.25rem_minmax(0,1fr)_1rem] @max-3xs:gap-x-1.5 @max-3xs:px-2";
const figure = "text-right tabular-nums @max-md:hidden";
const time = "text-right tabular-nums @max-3xs:hidden";

interface RunStepsProps {
  trace: TraceView;
  rows: { steps: readonly AgentStep[]; idle: readonly IdleAgent[] };
  status: RunStatus;
  now: number;
  choice: RunChoice;
  onChoose(choice: RunChoice): void;
}

export function RunSteps({ trace, rows: { steps, idle }, status, now, choice, onChoose }: RunStepsProps) {
  const isLive = !isTerminal(status);
  // What happens now is at the end.
  const earlier = isLive ? Math.max(0, steps.length - mostRows) : 0;
  const shown = steps.slice(earlier, earlier + mostRows);
  const hidden = steps.length + idle.length - earlier - mostRows;
  const { list, newest, onScroll } = useFollowing(isLive ? steps.length : 0);
  return (
    <div ref={list} onScroll={onScroll} className="@container min-h-0 overflow-y-auto border-line border-r text-xs">
      <Head />
      <ul aria-label="Steps">
        <li>
          <button
            type="button"
            aria-current={choice.type === "answer" || undefined}
            onClick={() => onChoose({ type: "answer" })}
            className={rowClass}
          >
            <MessageSquareText size={14} aria-hidden className="mx-auto text-text-muted" />
            <span className="truncate font-semibold">{isTerminal(status) ? "Answer" : "Live"}</span>
          </button>
        </li>
        {earlier > 0 && <li className="px-3 py-2 text-text-muted">{countNouns(earlier, "earlier step")}</li>}
        {shown.map((step, index) => (
          <StepRow
            key={step.span}
            ref={index === shown.length - 1 ? newest : undefined}
            step={step}
            name={trace.nameOf(step.span)}
            number={trace.agentNumberOf(trace.nameOf(step.span))}
            status={toShownStatus(trace.shownStatusOf(step.span), trace.errors.get(step.span))}
            ms={trace.endOf(step.span, now) - (trace.columns.start[step.span] ?? now)}
            isWarned={trace.isWarned(step.span)}
            isChosen={choice.type === "step" && choice.span === step.span}
            onChoose={onChoose}
          />
        ))}
        {idle.slice(0, Math.max(0, mostRows - shown.length)).map(({ key, name, number }) => (
          <li key={key}>
            <button
              type="button"
              aria-current={(choice.type === "node" && choice.key === key) || undefined}
              onClick={() => onChoose({ type: "node", key })}
              className={`${rowClass} text-text-muted`}
            >
              <AgentTile name={name} color={agentColor(number)} isHollow />
              <span className="truncate">{name}</span>
              <span className="sr-only">{isTerminal(status) ? "not reached" : "not started"}</span>
            </button>
          </li>
        ))}
        {hidden > 0 && <li className="px-3 py-2 text-text-muted">and {hidden} more</li>}
      </ul>
    </div>
  );
}

const Head = () => (
  <div aria-hidden className={`sticky top-0 z-1 h-7 border-line border-b bg-surface-sunken text-text-muted ${columns}`}>
    <span className="col-span-2">Step</span>
    <span />
    <span className={figure}>Round</span>
    <span className={time}>Time</span>
    <span className={figure}>Tokens</span>
    <span className={figure}>Cost</span>
  </div>
);

/** Keeps the newest row in view until the user scrolls up. `count`: number of steps; 0 when the run has ended. */
function useFollowing(count: number) {
  const list = useRef<HTMLDivElement>(null);
  const newest = useRef<HTMLButtonElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const [box, row] = [list.current, newest.current];
    // Not `scrollIntoView`: that would scroll what is around the list, too.
    if (count > 0 && box && row && isAtEnd.current)
      box.scrollTop = Math.max(box.scrollTop, row.offsetTop + row.offsetHeight - box.clientHeight);
  }, [count]);
  const onScroll = (): void => {
    const [box, row] = [list.current, newest.current];
    // All of the row: the first frame of a smooth scroll takes a part of it out of view.
    if (box && row) isAtEnd.current = row.offsetTop + row.offsetHeight <= box.scrollTop + box.clientHeight + 1;
  };
  return { list, newest, onScroll };
}

const rowClass = `h-9 w-full border-line border-b text-left outline-offset-[-2px] hover:bg-surface-hover aria-[current=true]:bg-surface-selected aria-[current=true]:shadow-[inset_2px_0_var(--accent)] ${columns}`;

interface StepRowProps {
  /** Of the button, for the row keeps its own: the newest row changes while the chosen one stays where it is. */
  ref?: RefObject<HTMLButtonElement | null> | undefined;
  step: AgentStep;
  name: string;
  number: number | undefined;
  status: ShownStatus;
  ms: number;
  isWarned: boolean;
  isChosen: boolean;
  onChoose(choice: RunChoice): void;
}

const StepRow = memo(function StepRow(props: StepRowProps) {
  const { ref, step, name, number, status, ms, isWarned, isChosen, onChoose } = props;
  const { icon: Icon, word, tint, spins } = statusStyles[status];
  const { span, usage } = step;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return (
    <li ref={row} className="scroll-mt-7">
      <button
        ref={ref}
        type="button"
        aria-current={isChosen || undefined}
        onClick={() => onChoose({ type: "step", span })}
        className={rowClass}
      >
        <AgentTile name={name} color={agentColor(number)} />
        <span className="flex min-w-0 items-center gap-1.5">
          <span className="truncate font-semibold">{name}</span>
          {isWarned && (
            <TriangleAlert size={12} role="img" aria-label="Has a warning" className="shrink-0 text-warning" />
          )}
        </span>
        <Icon size={14} role="img" aria-label={word} className={`${tint} ${spins ? "animate-spin" : ""}`} />
        <span className={`text-text-muted ${figure}`}>{describeRound(step, isTerminal(status))}</span>
        <span className={`text-text-muted ${time}`}>{formatDuration(ms)}</span>
        <span className={`text-text-muted ${figure}`}>{usage.calls > 0 && formatUsageTokens(usage)}</span>
        <span className={`text-text-muted ${figure}`}>{usage.calls > 0 && formatUsageCost(usage)}</span>
      </button>
    </li>
  );
}, isSameRow);

/** Steps are listed anew with every event, but few of them change. */
function isSameRow({ step: a, ...before }: StepRowProps, { step: b, ...after }: StepRowProps): boolean {
  return (
    before.ref === after.ref &&
    before.status === after.status &&
    before.isChosen === after.isChosen &&
    before.isWarned === after.isWarned &&
    before.number === after.number &&
    before.name === after.name &&
    before.onChoose === after.onChoose &&
    formatDuration(before.ms) === formatDuration(after.ms) &&
    a.rounds === b.rounds &&
    a.calls === b.calls &&
    a.usage.calls === b.usage.calls
  );
}

/** `round 2` of a node that runs again, else how many model calls: `call 2` while it works, then `2 calls`. */
export function describeRound({ round, rounds, calls }: AgentStep, isOver: boolean): string {
  if (rounds > 1) return `round ${round}`;
  if (calls < 2) return "";
  return isOver ? countNouns(calls, "call") : `call ${calls}`;
}
