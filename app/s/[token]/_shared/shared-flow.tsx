"use client";
import { useState } from "react";
import { StillCanvas } from "@/app/_share/still-canvas";
import { ChoiceSwitch } from "@/app/_ui/controls/choice-switch";
import { CopyButton } from "@/app/_ui/controls/copy-button";
import type { SharedPage } from "@/lib/server/share-links/visit";
import { SharedBar } from "./shared-bar";
import { VisitorRunPane } from "./visitor-run-pane";

const views = [
  { value: "canvas", label: "Canvas" },
  { value: "text", label: "Text" },
] as const;

interface SharedFlowProps {
  token: string;
  shared: Extract<SharedPage, { type: "flow" }>;
}

export function SharedFlow({ token, shared }: SharedFlowProps) {
  const { name, team, source, layout, runsLeft } = shared;
  const [view, setView] = useState<(typeof views)[number]["value"]>("canvas");
  return (
    <>
      <SharedBar name={name} team={team}>
        <ChoiceSwitch label="Show as" value={view} choices={views} onChange={setView} />
      </SharedBar>
      <div className="flex min-h-0 flex-1 flex-col md:flex-row">
        {view === "canvas" ? <StillCanvas source={source} layout={layout} /> : <FlowText source={source} />}
        {runsLeft !== null && <VisitorRunPane token={token} runsLeft={runsLeft} />}
      </div>
    </>
  );
}

const FlowText = ({ source }: { source: string }) => (
  <section aria-label="Text of this flow" className="relative min-h-0 min-w-0 flex-1 bg-surface">
    <div className="absolute top-2 right-2 rounded-md border bg-surface">
      <CopyButton text={source} label="Copy the text" />
    </div>
    <pre
      // A region that scrolls is reached by keyboard.
      tabIndex={0}
      className="size-full overflow-auto p-4 font-mono text-[13px] leading-5"
    >
      {source}
    </pre>
  </section>
);
