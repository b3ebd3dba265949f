import {
  ChartNoAxesGantt,
  Check,
  ChevronDown,
  CircleX,
  Flame,
  GitFork,
  MessagesSquare,
  Route,
  Search,
  SlidersHorizontal,
  ZoomOut,
} from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useState } from "react";
import { countNouns } from "@/lib/core/flow/format-count";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { type Grouping, groupings } from "@/lib/core/trace/timeline/span-groups";
import { type TimeMeaning, timeMeanings } from "@/lib/core/trace/timeline/span-times";
import { Button } from "../../_ui/controls/button";
import { IconButton } from "../../_ui/controls/icon-button";
import { Menu } from "../../_ui/controls/menu";
import type { TimelineData } from "../state/use-timeline";
import { type ChangeView, type TimelineView, type ViewState, views } from "../state/view-state";
import { canFollow, isFollowing, toWholeState } from "../state/visible-range";

const viewStyles: Record<TimelineView, { word: string; icon: typeof Flame }> = {
  waterfall: { word: "Timeline", icon: ChartNoAxesGantt },
  canvas: { word: "Canvas", icon: GitFork },
  conversation: { word: "Conversation", icon: MessagesSquare },
  flame: { word: "Flame graph", icon: Flame },
};

const timeWords: Record<TimeMeaning, string> = { wall: "Wall time", queue: "Queue time", work: "Work time" };
const groupWords: Record<Grouping, string> = { agent: "By agent", tool: "By tool", model: "By model" };

interface RunToolbarProps {
  state: ViewState;
  timeline: TimelineData;
  search: RefObject<HTMLInputElement | null>;
  onChange: ChangeView;
  onHit(direction: 1 | -1): void;
  onLeave(): void;
}

/** One line on a desktop; on a phone the filters have a second one, on demand. */
export function RunToolbar(props: RunToolbarProps) {
  const { state, timeline, onChange } = props;
  const [isOpen, setOpen] = useState(false);
  const isTimed = state.view === "waterfall" || state.view === "flame";
  return (
    <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-1.5 border-b bg-surface px-1.5">
      <Views view={state.view} onChange={onChange} />
      <MoreMenu state={state} timeline={timeline} onChange={onChange} />
      {isTimed && (
        <>
          <IconButton
            label="Filters"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="ml-auto md:hidden"
          >
            <SlidersHorizontal size={15} aria-hidden />
          </IconButton>
          <div
            className={`ml-auto flex items-center gap-1.5 max-md:basis-full max-md:pb-1 ${isOpen ? "" : "max-md:hidden"}`}
          >
            {(state.from !== null || state.to !== null) && (
              <Button size="small" variant="ghost" onClick={() => onChange(toWholeState(state, timeline.status))}>
                <ZoomOut size={14} aria-hidden /> Whole run
              </Button>
            )}
            <SearchBox {...props} />
            <Filters state={state} timeline={timeline} onChange={onChange} />
          </div>
        </>
      )}
    </div>
  );
}

type StateProps = Pick<RunToolbarProps, "state" | "timeline" | "onChange">;

function Filters({ state, timeline, onChange }: StateProps) {
  const failed = timeline.failedCount;
  return (
    <>
      <Toggle label="Errors only" isOn={state.errors} onChange={(errors) => onChange({ errors })}>
        <CircleX size={14} aria-hidden /> Errors
        {failed > 0 && (
          <span className="rounded-full bg-danger-soft px-1.5 font-semibold text-[11px] text-danger leading-4">
            {failed}
          </span>
        )}
      </Toggle>
      <Toggle label="Critical path" isOn={state.critical} onChange={(critical) => onChange({ critical })}>
        <Route size={14} aria-hidden /> <span className="max-xl:hidden">Critical path</span>
      </Toggle>
    </>
  );
}

const followed = { from: null, to: null, follow: true } as const;

/** What is rarely chosen: how rows are put together, what their time means, gaps. */
function MoreMenu({ state, timeline, onChange }: StateProps) {
  const { status } = timeline;
  const item = (heading: string, label: string, isOn: boolean, change: Parameters<ChangeView>[0]) => ({
    heading,
    label,
    icon: <Check size={14} aria-hidden className={isOn ? "" : "invisible"} />,
    onSelect: () => onChange(change),
  });
  const groups = [null, ...groupings].map((group) =>
    item("Rows", group === null ? "As a tree" : groupWords[group], state.group === group, { group, fold: [] }),
  );
  const times = timeMeanings.map((time) => item("Time of the bars", timeWords[time], state.time === time, { time }));
  const squeeze = item("Shown part", `Squeeze idle gaps (${Math.round(timeline.idleShare * 100)}%)`, state.squeeze, {
    squeeze: !state.squeeze,
  });
  return (
    <Menu
      label="More"
      items={[
        ...(state.view === "waterfall" ? [...groups, ...times] : []),
        ...(timeline.idleShare > 0.01 || state.squeeze ? [squeeze] : []),
        item("Shown part", "Show the whole run", false, { from: null, to: null, follow: isTerminal(status) }),
        ...(canFollow(status)
          ? [item("Shown part", "Follow the last 30 s", isFollowing(state, status), followed)]
          : []),
      ]}
      trigger={
        <span className="inline-flex items-center gap-1 px-1 font-medium text-[13px]">
          More <ChevronDown size={13} aria-hidden />
        </span>
      }
    />
  );
}

function Views({ view, onChange }: { view: TimelineView; onChange: ChangeView }) {
  return (
    <div role="group" aria-label="View" className="flex">
      {views.map((option) => {
        const { word, icon: Icon } = viewStyles[option];
        const isOn = option === view;
        return (
          <button
            key={option}
            type="button"
            aria-pressed={isOn}
            aria-label={word}
            onClick={() => onChange({ view: option })}
            className="-mb-px inline-flex h-9 items-center gap-1.5 border-transparent border-b-2 px-2.5 font-medium text-[13px] text-text-muted -outline-offset-2 hover:text-text aria-pressed:border-accent aria-pressed:font-semibold aria-pressed:text-text"
          >
            <Icon size={15} aria-hidden />
            <span className={isOn ? "" : "max-sm:hidden"}>{word}</span>
          </button>
        );
      })}
    </div>
  );
}

function SearchBox({ state, timeline, search, onChange, onHit, onLeave }: RunToolbarProps) {
  const hitCount = timeline.hitSpans?.length ?? 0;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter") onHit(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") {
      onChange({ q: "" });
      onLeave();
    } else if (event.key === "ArrowDown") onLeave();
    else return;
    event.preventDefault();
  };
  return (
    <div className="relative flex min-w-0 items-center">
      <Search size={13} aria-hidden className="absolute left-2 text-text-muted" />
      <input
        ref={search}
        type="search"
        aria-label="Search steps"
        placeholder="Search steps"
        value={state.q}
        onChange={({ target }) => onChange({ q: target.value })}
        onKeyDown={onKeyDown}
        className="h-7 w-48 min-w-0 rounded-md border border-line-input bg-surface pr-6 pl-7 text-xs max-xl:w-36"
      />
      {state.q === "" ? (
        <kbd
          aria-hidden
          className="absolute right-1.5 rounded border border-line px-1 font-mono text-[11px] text-text-faint leading-4 pointer-coarse:hidden"
        >
          /
        </kbd>
      ) : (
        <span role="status" className="ml-2 whitespace-nowrap text-text-muted text-xs tabular-nums">
          {countNouns(hitCount, "step")}
        </span>
      )}
    </div>
  );
}

interface ToggleProps {
  label: string;
  isOn: boolean;
  onChange(isOn: boolean): void;
  children: ReactNode;
}

function Toggle({ label, isOn, onChange, children }: ToggleProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={isOn}
      onClick={() => onChange(!isOn)}
      className="inline-flex h-7 items-center gap-1.5 whitespace-nowrap rounded-md px-2 font-medium text-text-muted text-xs hover:bg-surface-hover aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
    >
      {children}
    </button>
  );
}
