import { ArrowRightLeft, Bot, CircleHelp, ClipboardList, MessageSquarePlus, Reply, Undo2, Wrench } from "lucide-react";
import type { ConversationEntry, ConversationEntryType } from "@/lib/core/trace/conversation/conversation-entries";
import { AgentTile } from "../../_ui/badges/agent-tile";
import { formatDuration } from "../../_ui/format/format";
import { TurnText } from "./turn-text";

const turnStyles: Record<ConversationEntryType, { icon: typeof Bot; title(turn: ConversationEntry): string }> = {
  given: { icon: ClipboardList, title: () => "Task" },
  message: { icon: MessageSquarePlus, title: ({ about }) => (about === "" ? "Message" : `Message from ${about}`) },
  answer: {
    icon: Bot,
    title: ({ isError, reasoning }) => (isError ? "No answer" : reasoning ? "Thought and answered" : "Answer"),
  },
  call: { icon: Wrench, title: ({ about }) => `Calls ${about}` },
  result: { icon: Undo2, title: ({ about, isError }) => `${isError ? "Error" : "Result"} of ${about}` },
  handoff: { icon: ArrowRightLeft, title: ({ about }) => `Hands over to ${about}` },
  question: { icon: CircleHelp, title: () => "Human input" },
  reply: { icon: Reply, title: ({ about, isError }) => `${about} ${isError ? "declined" : "replied"}` },
};

interface TurnRowProps {
  id: string;
  turn: ConversationEntry & { repeats?: string | undefined };
  /** Of the agent. */
  color: string;
  row: {
    index: number;
    /** In px. */
    top: number;
    columns: number;
    /** The agent's column; -1: the row spans all of them. */
    column: number;
    measure(element: HTMLElement | null): void;
  };
  elapsedMs: number;
  state: { isActive: boolean; isSelected: boolean; isLater: boolean };
}

export function TurnRow({ id, turn, color: agentColor, row, elapsedMs, state }: TurnRowProps) {
  const { index, top, columns, column, measure } = row;
  const { isActive, isSelected, isLater } = state;
  const { agent, isError } = turn;
  const { icon: Icon, title } = turnStyles[turn.type];
  const color = isLater ? "var(--line-strong)" : agentColor;
  return (
    <div
      ref={measure}
      id={id}
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 1}
      aria-selected={isSelected}
      data-index={index}
      data-later={isLater || undefined}
      className="absolute inset-x-0 px-3 pb-2"
      style={{ transform: `translateY(${top}px)` }}
    >
      <div
        role="gridcell"
        tabIndex={-1}
        className={`cursor-pointer rounded-md border-l-4 px-3 py-2 ${isSelected ? "bg-surface-selected" : "bg-surface-sunken"} ${
          isActive ? "outline-2 outline-accent group-focus-visible/turns:outline" : ""
        } ${isLater ? "text-text-muted" : ""}`}
        style={{ borderColor: color, ...toColumnStyle(columns, column) }}
      >
        <p className="mb-1 flex items-center gap-1.5 text-xs">
          <AgentTile name={agent.name} color={color} />
          <b className="truncate font-semibold">{agent.name}</b>
          <Icon size={13} aria-hidden className={`shrink-0 ${isError ? "text-danger" : "text-text-muted"}`} />
          <span className={`min-w-0 truncate ${isError ? "text-danger" : "text-text-muted"}`}>{title(turn)}</span>
          {isLater && <span className="text-text-muted">later</span>}
          <span className="ml-auto shrink-0 text-text-muted tabular-nums">{formatDuration(elapsedMs)}</span>
        </p>
        <TurnText turn={turn} repeats={turn.repeats} />
      </div>
    </div>
  );
}

const toColumnStyle = (columns: number, column: number) =>
  columns === 0 || column < 0
    ? {}
    : { marginLeft: `${(column / columns) * 100}%`, width: `calc(${100 / columns}% - 0.5rem)` };
