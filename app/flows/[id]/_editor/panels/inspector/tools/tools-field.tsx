import { Popover } from "@base-ui/react/popover";
import { Lock, Plus, TriangleAlert, X } from "lucide-react";
import dynamic from "next/dynamic";
import { useRef, useState } from "react";
import { loadPart } from "@/app/_ui/loading/load-part";
import { findMisfits } from "@/lib/core/check/check-model-fit";
import type { ToolOffer } from "@/lib/core/check/offer";
import type { Agent } from "@/lib/core/kinds/agent";
import { useSession } from "../../../state/session-context";
import { setTool, toggleEntry } from "../fields/agent-edits";
import { iconOfTool, whyUnavailable } from "./describe-tool";
import { ToolDetail } from "./tool-detail";

const EntryList = dynamic(() => loadPart(() => import("../../entry-list/entry-list").then((part) => part.EntryList)), {
  ssr: false,
});

/** Chosen tools as chips; a chip opens what the tool does and whether a person approves its calls. */
export function ToolsField({ agent }: { agent: Agent }) {
  const { seed, actions } = useSession();
  const [openTool, setOpenTool] = useState<string | null>(null);
  const { tools: chosen, needs_approval: approved, model = "" } = agent;
  const warning = findMisfits(agent, model).find(({ field }) => field === "tools")?.reason;
  const offerOf = (name: string): ToolOffer =>
    seed.tools.find((tool) => tool.name === name) ?? {
      name,
      description: "No provider has this tool.",
      available: false,
    };
  const detail = openTool !== null && chosen.includes(openTool) ? offerOf(openTool) : null;
  const missing = seed.tools.filter(({ name }) => !chosen.includes(name));
  return (
    <fieldset className="grid gap-1.5">
      <legend className="sr-only">Tools</legend>
      <div aria-hidden className="flex items-center justify-between font-medium text-text-muted text-xs">
        Tools
        {chosen.length > 0 && <span className="font-normal text-text-faint tabular-nums">{chosen.length}</span>}
      </div>
      {warning && <p className="text-warning text-xs">{warning}</p>}
      <div className="flex flex-wrap gap-1.5">
        <ul className="contents" aria-label="Tools">
          {chosen.map((name) => (
            <ToolChip
              key={name}
              tool={offerOf(name)}
              needsApproval={approved.includes(name)}
              isOpen={detail?.name === name}
              onOpen={() => setOpenTool(detail?.name === name ? null : name)}
              onRemove={() => actions.edit(...setTool(agent, name, false))}
            />
          ))}
        </ul>
        {missing.length > 0 && (
          <AddTool tools={missing} onAdd={(name) => actions.edit(...setTool(agent, name, true))} />
        )}
      </div>
      {detail && (
        <ToolDetail
          tool={detail}
          needsApproval={approved.includes(detail.name)}
          onApprove={(isOn) => actions.edit(toggleEntry(agent, "needs_approval", detail.name, isOn))}
        />
      )}
      {approved.length > 0 && (
        <p className="flex items-center gap-1.5 text-[11px] text-text-muted">
          <Lock size={12} aria-hidden /> asks a person before each call
        </p>
      )}
    </fieldset>
  );
}

interface ToolChipProps {
  tool: ToolOffer;
  needsApproval: boolean;
  isOpen: boolean;
  onOpen(): void;
  onRemove(): void;
}

function ToolChip({ tool: { name, available }, needsApproval, isOpen, onOpen, onRemove }: ToolChipProps) {
  const Icon = available ? (needsApproval ? Lock : iconOfTool(name)) : TriangleAlert;
  return (
    <li className="flex h-6 max-w-full items-center rounded bg-surface-hover">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-label={`${name}${needsApproval ? ", asks a person first" : ""}${available ? "" : ", not available here"}`}
        onClick={onOpen}
        className={`flex h-6 min-w-0 items-center gap-1.5 rounded-l pl-1.5 font-mono text-[11px] hover:bg-surface-selected ${available ? "" : "text-warning"}`}
      >
        <Icon size={12} aria-hidden className={`shrink-0 ${available ? "text-text-muted" : ""}`} />
        <span className="truncate">{name}</span>
      </button>
      <button
        type="button"
        aria-label={`Remove tool ${name}`}
        onClick={onRemove}
        className="grid size-6 shrink-0 place-items-center rounded-r text-text-muted hover:bg-surface-selected hover:text-text"
      >
        <X size={12} aria-hidden />
      </button>
    </li>
  );
}

function AddTool({ tools, onAdd }: { tools: readonly ToolOffer[]; onAdd(name: string): void }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const entries = tools.map((tool) => ({
    id: tool.name,
    title: tool.name,
    group: tool.available ? "Tools" : "Not available here",
    description: { icon: iconOfTool(tool.name), text: tool.description, warning: whyUnavailable(tool) },
    words: `${tool.name.replaceAll("_", " ")} ${tool.description}`,
    run: () => onAdd(tool.name),
  }));
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger
        ref={button}
        className="flex h-6 items-center gap-1 rounded border border-line-input border-dashed px-1.5 text-text-muted text-xs hover:bg-surface-hover hover:text-text"
      >
        <Plus size={12} aria-hidden />
        Add tool…
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="end" sideOffset={4} collisionPadding={8} className="z-50">
          <Popover.Popup
            finalFocus={button}
            className="flex max-h-[min(360px,60dvh)] w-[min(400px,calc(100vw-24px))] flex-col overflow-hidden rounded-lg border border-line bg-surface-raised shadow-popover"
          >
            <Popover.Title className="sr-only">Add a tool</Popover.Title>
            <EntryList
              label="Tools to add"
              placeholder="Search tools"
              entries={entries}
              onDone={() => setOpen(false)}
              takesFocus
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
