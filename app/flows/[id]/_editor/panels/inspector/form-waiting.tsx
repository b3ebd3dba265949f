import { useEffect, useState } from "react";
import { findDeclaration } from "@/lib/core/flow/flow";
import { useEditorState } from "../../state/session-context";
import { PromptWaiting, WaitingPrompt } from "./prompt/prompt-waiting";

/** The code of a form is there before in most cases: a text that is shown in its place for a moment would flicker. */
const showDelayMs = 1000;

/** Shows the instructions of the selected agent until the form is loaded, which may take until the network is back. */
export function FormWaiting() {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), showDelayMs);
    return () => clearTimeout(timer);
  }, []);
  const declaration = useEditorState(({ selection: [key, ...otherKeys], arrangement, flow }) => {
    const node = otherKeys.length === 0 && arrangement.nodes.find((candidate) => candidate.key === key);
    return node ? findDeclaration(flow, node.name) : null;
  });
  const value = declaration?.type === "agent" ? declaration.instructions : undefined;
  return (
    <>
      <div className="flex h-12 shrink-0 items-center px-3 font-medium">{isLate && declaration?.name}</div>
      <div className="h-9 shrink-0 border-line border-b" />
      <div className="grid gap-3 p-3 text-text-muted text-xs">
        <p>Loading the form…</p>
        {isLate && value !== undefined && (
          <WaitingPrompt value={{ value, placeholder: "" }}>
            <PromptWaiting />
          </WaitingPrompt>
        )}
      </div>
    </>
  );
}
