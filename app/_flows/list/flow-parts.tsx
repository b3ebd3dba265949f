import {
  CircleX,
  Copy,
  FileOutput,
  History,
  ListVideo,
  PencilLine,
  Play,
  Share2,
  Tags,
  Trash2,
  Users,
} from "lucide-react";
import Link, { useLinkStatus } from "next/link";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { countNouns, formatCount } from "@/lib/core/flow/format-count";
import type { FlowSummary } from "@/lib/server/flows/list-flows";
import { useAccess } from "../../_ui/access/access";
import { StatusWord, statusStyles } from "../../_ui/badges/status-badge";
import { Button } from "../../_ui/controls/button";
import { Menu } from "../../_ui/controls/menu";
import { RelativeTime } from "../../_ui/format/relative-time";
import type { FlowActions } from "./flow-actions";

export interface FlowItemProps {
  flow: FlowSummary;
  actions: FlowActions;
}

/** The status of the last run in a column of its own, then when; without a run when the flow was changed. */
export function LastRun({ flow: { name, lastRun, updatedAt } }: { flow: FlowSummary }) {
  if (!lastRun)
    return (
      <>
        <span className="w-23 shrink-0 text-text-muted">Edited</span>
        <span className="min-w-0 truncate text-text-muted">
          <RelativeTime at={updatedAt} isShort />
        </span>
      </>
    );
  return (
    <>
      <Link
        href={`/runs/${lastRun.id}`}
        aria-label={`Last run of ${name}: ${statusStyles[lastRun.status].word}`}
        className="relative z-10 flex h-6 w-23 shrink-0 items-center rounded hover:underline"
      >
        <StatusWord status={lastRun.status} />
      </Link>
      <span className="min-w-0 truncate text-text-muted">
        {lastRun.status === "WAITING"
          ? "waits for you"
          : lastRun.at !== null && <RelativeTime at={lastRun.at} isShort />}
      </span>
    </>
  );
}

/** The number of runs, with the way to them. */
export const RunCount = ({ flow: { id, name, runs } }: { flow: FlowSummary }) =>
  runs === 0 ? (
    "0 runs"
  ) : (
    <Link
      href={`/runs?flow=${id}`}
      aria-label={`${countNouns(runs, "run")} of ${name}`}
      className="relative z-10 -my-1 inline-flex h-6 items-center rounded hover:text-text hover:underline"
    >
      {formatCount(runs)} {runs === 1 ? "run" : "runs"}
    </Link>
  );

/** The beginning of what it does. */
export const Outline = ({ flow }: Pick<FlowItemProps, "flow">) => (
  <p className="truncate font-mono text-[11px] text-text-muted leading-5 [font-variant-ligatures:none]">
    {flow.outline || (flow.agents > 0 ? "Not connected yet" : "Empty")}
  </p>
);

export const TagList = ({ tags }: { tags: readonly string[] }) => (
  <span className="flex h-[18px] min-w-0 shrink-[99999] flex-wrap justify-end gap-1 overflow-hidden">
    {tags.slice(0, 3).map((tag) => (
      <span
        key={tag}
        className="max-w-[min(7rem,100%)] shrink-0 truncate rounded bg-surface-hover px-1.5 font-medium text-[11px] text-text-muted leading-[18px]"
      >
        {tag}
      </span>
    ))}
  </span>
);

export const Problems = ({ count }: { count: number }) =>
  count > 0 && (
    <span className="flex shrink-0 items-center gap-1 font-medium text-danger text-xs">
      <CircleX size={12} aria-hidden /> {countNouns(count, "problem")}
    </span>
  );

/** The name, which opens the flow; becomes a field while it is changed. */
export function FlowName({ flow, actions, isRenamed, onRenamed }: FlowItemProps & NameProps) {
  const [pendingName, setPendingName] = useState<string | null>(null);
  const rename = async (name: string): Promise<void> => {
    onRenamed();
    if (name === "" || name === flow.name) return;
    setPendingName(name);
    await actions.rename(flow, name);
    setPendingName(null);
  };
  if (isRenamed) return <NameField name={flow.name} onDone={(name) => void rename(name)} />;
  return (
    <Link
      href={`/flows/${flow.id}`}
      data-flow={flow.id}
      className="group/link min-w-0 truncate font-semibold text-sm outline-none"
    >
      {pendingName ?? flow.name}
      {/* The whole card opens the flow, and shows the focus. */}
      <span
        aria-hidden
        className="absolute inset-0 rounded-xl -outline-offset-2 outline-focus group-focus-visible/link:outline-2"
      />
      <Opening />
    </Link>
  );
}

function Opening() {
  const { pending } = useLinkStatus();
  if (!pending) return null;
  return (
    <span
      role="status"
      aria-label="Opening the flow"
      className="absolute inset-x-0 bottom-0 h-0.5 animate-pulse bg-accent"
    />
  );
}

interface NameProps {
  isRenamed: boolean;
  onRenamed(): void;
}

function NameField({ name, onDone }: { name: string; onDone(name: string): void }) {
  const isDone = useRef(false);
  const finish = (value: string): void => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(value.trim());
  };
  return (
    <input
      ref={(field) => field?.select()}
      aria-label="Name of the flow"
      defaultValue={name}
      maxLength={200}
      onBlur={({ currentTarget }) => finish(currentTarget.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter") finish(event.currentTarget.value);
        else if (event.key === "Escape") finish("");
      }}
      className="relative z-10 -my-0.5 -ml-1.5 h-6 min-w-0 flex-1 rounded border border-line-input bg-surface px-1.5 font-semibold text-sm"
    />
  );
}

/** Run, and the menu of everything else; shown on hover, on focus and where there is no hover. */
export function FlowButtons({ flow, actions, onRename }: FlowItemProps & { onRename(): void }) {
  const router = useRouter();
  const access = useAccess();
  const icon = { size: 14, "aria-hidden": true } as const;
  const edits = [
    { label: "Rename", icon: <PencilLine {...icon} />, movesFocus: true, onSelect: onRename },
    { label: "Edit tags…", icon: <Tags {...icon} />, onSelect: () => actions.editTags(flow) },
    { label: "Duplicate", icon: <Copy {...icon} />, onSelect: () => actions.duplicate(flow) },
  ];
  const members = { label: "Who may do what…", icon: <Users {...icon} />, onSelect: () => actions.showMembers(flow) };
  const open = (dialog: "share" | "export" | "versions") => () => router.push(`/flows/${flow.id}?open=${dialog}`);
  const share = { label: "Share…", icon: <Share2 {...icon} />, onSelect: open("share") };
  const views = [
    { label: "Versions", icon: <History {...icon} />, onSelect: open("versions") },
    { label: "Export…", icon: <FileOutput {...icon} />, onSelect: open("export") },
  ];
  const runs = {
    label: "Show its runs",
    icon: <ListVideo {...icon} />,
    onSelect: () => router.push(`/runs?flow=${flow.id}`),
  };
  const trash = {
    label: "Move to trash",
    icon: <Trash2 {...icon} />,
    danger: true,
    onSelect: () => actions.moveToTrash(flow),
  };
  const items = [
    ...(access.mayEdit ? edits : []),
    ...(access.team !== null && access.mayEdit ? [share] : []),
    ...(access.team !== null && access.mayManage ? [members] : []),
    ...views,
    runs,
    ...(access.mayEdit ? [trash] : []),
  ];
  return (
    <div className="relative z-10 flex items-center gap-2 opacity-0 transition-opacity duration-100 group-focus-within:opacity-100 group-hover:opacity-100 has-[[aria-expanded=true]]:opacity-100 pointer-coarse:opacity-100">
      {access.mayRun && flow.agents > 0 && flow.errors === 0 && (
        <Button
          size="small"
          variant="primary"
          aria-label={`Run ${flow.name}`}
          onClick={() => actions.run(flow)}
          className="pointer-coarse:size-9 pointer-coarse:border-line! pointer-coarse:bg-surface-raised! pointer-coarse:px-0 pointer-coarse:text-text-muted!"
        >
          <Play
            size={12}
            aria-hidden
            fill="currentColor"
            className="pointer-coarse:size-3.5 pointer-coarse:fill-none"
          />
          <span className="pointer-coarse:hidden">Run</span>
        </Button>
      )}
      <span className="rounded-md border border-line-strong bg-surface-raised pointer-coarse:border-line pointer-coarse:[&>button]:size-9">
        <Menu label={`More for ${flow.name}`} items={items} />
      </span>
    </div>
  );
}
