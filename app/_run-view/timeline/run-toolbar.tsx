import { Columns3, Flame, GitFork, MessagesSquare, Search, SlidersHorizontal, ZoomOut } from "lucide-react";
import { type KeyboardEvent, type RefObject, useState } from "react";
import { type Grouping, groupings } from "@/lib/core/trace/timeline/span-groups";
import { type TimeMeaning, timeMeanings } from "@/lib/core/trace/timeline/span-times";
import { Button } from "../../_ui/controls/button";
import { IconButton } from "../../_ui/controls/icon-button";
import { Select } from "../../_ui/controls/select";
import type { TimelineData } from "../state/use-timeline";
import { type ChangeView, type TimelineView, type ViewState, views } from "../state/view-state";

const viewStyles: Record<TimelineView, { word: string; icon: typeof Flame }> = {
  waterfall: { word: "Waterfall", icon: Columns3 },
  flame: { word: "Flame graph", icon: Flame },
  canvas: { word: "Canvas", icon: GitFork },
  conversation: { word: "Conversation", icon: MessagesSquare },
};

const timeWords: Record<TimeMeaning, string> = { wall: "Wall time", queue: "Queue time", work: "Work time" };
const groupWords: Record<Grouping, string> = { agent: "By agent", tool: "By tool", model: "By model" };

const selectStyle = "h-7 rounded-md border-line-strong px-1 text-xs";

interface RunToolbarProps {
  state: ViewState;
  timeline: TimelineData;
  search: RefObject<HTMLInputElement | null>;
  onChange: ChangeView;
  onHit(direction: 1 | -1): void;
  onLeave(): void;
}

export function RunToolbar(props: RunToolbarProps) {
  const { state, timeline, onChange } = props;
  const isTimed = state.view === "waterfall" || state.view === "flame";
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b px-3 py-1">
      <Views view={state.view} onChange={onChange} />
      {isTimed && (
        <>
          <SearchBox {...props} />
          <Filters state={state} timeline={timeline} onChange={onChange} />
          {(state.from !== null || state.to !== null) && (
            <Button size="small" onClick={() => onChange({ from: null, to: null })}>
              <ZoomOut size={14} aria-hidden /> Whole run
            </Button>
          )}
        </>
      )}
    </div>
  );
}

function Filters({ state, timeline, onChange }: Pick<RunToolbarProps, "state" | "timeline" | "onChange">) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton label="Filters" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className="md:hidden">
        <SlidersHorizontal size={15} aria-hidden />
      </IconButton>
      <div className={`flex flex-wrap items-center gap-x-2 gap-y-1 max-md:basis-full ${isOpen ? "" : "max-md:hidden"}`}>
        <Toggle label="Errors only" isOn={state.errors} onChange={(errors) => onChange({ errors })} />
        <Toggle label="Critical path" isOn={state.critical} onChange={(critical) => onChange({ critical })} />
        {timeline.idleShare > 0.01 && (
          <Toggle
            label={`Squeeze idle (${Math.round(timeline.idleShare * 100)}%)`}
            isOn={state.squeeze}
            onChange={(squeeze) => onChange({ squeeze })}
          />
        )}
        {state.view === "waterfall" && (
          <>
            <Select
              label="Group"
              value={state.group ?? ""}
              options={[["", "As a tree"], ...Object.entries(groupWords)]}
              onChange={(value) =>
                onChange({ group: groupings.find((grouping) => grouping === value) ?? null, fold: [] })
              }
              className={selectStyle}
            />
            <Select
              label="Time column"
              value={state.time}
              options={Object.entries(timeWords)}
              onChange={(value) => onChange({ time: timeMeanings.find((meaning) => meaning === value) ?? "wall" })}
              className={selectStyle}
            />
          </>
        )}
      </div>
    </>
  );
}

function Views({ view, onChange }: { view: TimelineView; onChange: ChangeView }) {
  return (
    <div role="group" aria-label="View" className="flex rounded-md border border-line-strong p-0.5">
      {views.map((option) => {
        const { word, icon: Icon } = viewStyles[option];
        return (
          <button
            key={option}
            type="button"
            aria-pressed={option === view}
            aria-label={word}
            onClick={() => onChange({ view: option })}
            className="inline-flex h-6 items-center gap-1.5 rounded px-2 font-medium text-text-muted text-xs hover:text-text aria-pressed:bg-surface-selected aria-pressed:text-text"
          >
            <Icon size={13} aria-hidden />
            <span className="max-sm:hidden">{word}</span>
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
        className="h-7 w-44 min-w-0 rounded-md border border-line-strong bg-surface pr-2 pl-7 text-xs"
      />
      {state.q !== "" && (
        <span role="status" className="ml-2 whitespace-nowrap text-text-muted text-xs tabular-nums">
          {hitCount === 1 ? "1 step" : `${hitCount.toLocaleString("en-US")} steps`}
        </span>
      )}
    </div>
  );
}

function Toggle({ label, isOn, onChange }: { label: string; isOn: boolean; onChange(isOn: boolean): void }) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={() => onChange(!isOn)}
      className="h-7 whitespace-nowrap rounded-md border border-line-strong px-2 text-text-muted text-xs hover:bg-surface-hover aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
    >
      {label}
    </button>
  );
}
