import { Maximize2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Dialog } from "@/app/_ui/controls/dialog";
import { IconButton } from "@/app/_ui/controls/icon-button";
import { loadPart } from "@/app/_ui/loading/load-part";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { namesBefore } from "@/lib/core/layout/names-before";
import { useEditorState } from "../../../state/session-context";
import { PromptPreview } from "./prompt-preview";
import { PromptWaiting, WaitingPrompt } from "./prompt-waiting";
import { describeLength, listVariables } from "./variables";

interface PromptFieldProps {
  label: string;
  value: string;
  placeholder: string;
  nodeKey: NodeKey;
  onCommit(value: string): void;
}

const PromptText = dynamic(() => loadPart(() => import("./prompt-text")), { ssr: false, loading: PromptWaiting });

export function PromptField({ label, value, placeholder, nodeKey, onCommit }: PromptFieldProps) {
  const flow = useEditorState((state) => state.flow);
  const arrangement = useEditorState((state) => state.arrangement);
  const [isLarge, setLarge] = useState(false);
  const variables = listVariables(flow, namesBefore(arrangement, nodeKey));
  const text = { label, value, placeholder, variables, onCommit };
  return (
    <WaitingPrompt value={{ value, placeholder }}>
      <div className="grid gap-1">
        <div className="-mb-0.5 flex h-6 items-center gap-1">
          <span className="mr-auto font-medium text-text-muted text-xs">{label}</span>
          <span className="truncate text-[11px] text-text-faint tabular-nums">{describeLength(value)}</span>
          <IconButton
            label={`Open ${label.toLowerCase()} in a large window`}
            className="size-6!"
            onClick={() => setLarge(true)}
          >
            <Maximize2 size={13} aria-hidden />
          </IconButton>
        </div>
        {!isLarge && <PromptText {...text} />}
        {value.includes("${") && <PromptPreview text={value} nodeKey={nodeKey} />}
        <Dialog open={isLarge} onOpenChange={setLarge} title={`${label} of ${nodeKey}`} wide>
          <PromptText {...text} isLarge />
          <div className="mt-2">
            <PromptFoot value={value} nodeKey={nodeKey} />
          </div>
        </Dialog>
      </div>
    </WaitingPrompt>
  );
}

function PromptFoot({ value, nodeKey }: { value: string; nodeKey: NodeKey }) {
  return (
    <>
      <p className="text-text-faint text-xs tabular-nums">
        {describeLength(value)}. Type {"${"} for variables.
      </p>
      {value.includes("${") && <PromptPreview text={value} nodeKey={nodeKey} />}
    </>
  );
}
