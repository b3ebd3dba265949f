import { type KeyboardEvent, useState } from "react";
import { countNouns } from "@/lib/core/flow/format-count";
import { useAccess } from "../../_ui/access/access";
import { FlowThumbnailPicture } from "../thumbnail/flow-thumbnail";
import { FlowButtons, type FlowItemProps, FlowName, LastRun, Outline, Problems, RunCount, TagList } from "./flow-parts";

/** F2 and Delete on the flow that has the focus. */
function useRename({ flow, actions }: FlowItemProps) {
  const { mayEdit } = useAccess();
  const [isRenamed, setRenamed] = useState(false);
  return {
    isRenamed,
    onRename: () => setRenamed(true),
    onRenamed: () => setRenamed(false),
    onKeyDown: (event: KeyboardEvent): void => {
      if (!mayEdit || !(event.target instanceof HTMLElement) || event.target.dataset.flow === undefined) return;
      if (event.key === "F2") setRenamed(true);
      else if (event.key === "Delete") actions.moveToTrash(flow);
      else return;
      event.preventDefault();
    },
  };
}

export function FlowCard({ flow, actions }: FlowItemProps) {
  const { onRename, onKeyDown, ...naming } = useRename({ flow, actions });
  return (
    <li
      onKeyDown={onKeyDown}
      className="group relative flex flex-col overflow-hidden rounded-xl bg-surface shadow-[0_0_0_1px_var(--line)] transition-shadow [contain-intrinsic-size:auto_236px] [content-visibility:auto] hover:shadow-[0_0_0_1.5px_var(--accent)]"
    >
      <div className="relative h-[150px] border-b">
        <FlowThumbnailPicture picture={flow.picture} />
        <div className="absolute right-2 bottom-2 pointer-coarse:top-full pointer-coarse:bottom-auto pointer-coarse:mt-1">
          <FlowButtons flow={flow} actions={actions} onRename={onRename} />
        </div>
      </div>
      <div className="flex flex-col gap-1 px-3.5 pt-2.5 pb-2.5">
        <div className="flex h-5 items-center gap-2 pointer-coarse:h-7 pointer-coarse:pr-20">
          <FlowName flow={flow} actions={actions} {...naming} />
          <span className="ml-auto" />
          <Problems count={flow.errors} />
          <TagList tags={flow.tags} />
        </div>
        <Outline flow={flow} />
        <div className="flex h-6 items-center gap-1 text-text-muted text-xs tabular-nums">
          <LastRun flow={flow} />
          <span className="ml-auto shrink-0 whitespace-nowrap">
            {countNouns(flow.agents, "agent")}, <RunCount flow={flow} />
          </span>
        </div>
      </div>
    </li>
  );
}

export function FlowRow({ flow, actions }: FlowItemProps) {
  const { onRename, onKeyDown, ...naming } = useRename({ flow, actions });
  return (
    <li
      onKeyDown={onKeyDown}
      className="group relative flex min-h-14 items-center gap-4 bg-surface px-4 py-2 [contain-intrinsic-size:auto_56px] [content-visibility:auto] hover:bg-surface-hover"
    >
      <div className="min-w-0 flex-1">
        <div className="flex h-5 items-center gap-2">
          <FlowName flow={flow} actions={actions} {...naming} />
          <span className="contents max-sm:hidden">
            <TagList tags={flow.tags} />
          </span>
          <Problems count={flow.errors} />
        </div>
        <Outline flow={flow} />
      </div>
      <span className="hidden w-48 shrink-0 items-center gap-1 text-xs tabular-nums sm:flex">
        <LastRun flow={flow} />
      </span>
      <span className="hidden w-18 shrink-0 text-right text-text-muted text-xs tabular-nums md:block">
        {countNouns(flow.agents, "agent")}
      </span>
      <span className="hidden w-18 shrink-0 text-right text-text-muted text-xs tabular-nums md:block">
        <RunCount flow={flow} />
      </span>
      <div className="flex shrink-0 justify-end sm:w-26">
        <FlowButtons flow={flow} actions={actions} onRename={onRename} />
      </div>
    </li>
  );
}
