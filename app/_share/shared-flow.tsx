"use client";
import { Copy } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { copyFlow } from "@/app/_share/share-requests";
import { Button } from "@/app/_ui/controls/button";
import { ChoiceSwitch } from "@/app/_ui/controls/choice-switch";
import { CopyButton } from "@/app/_ui/controls/copy-button";
import { showError } from "@/app/_ui/toast/show-error";
import type { PublicSource } from "@/lib/server/share-links/gallery";
import type { LinkedFlow } from "@/lib/server/share-links/open-link";
import { SharedBar } from "./shared-bar";
import { StillCanvas } from "./still-canvas";
import { VisitorRunPane } from "./visitor-run-pane";

const views = [
  { value: "canvas", label: "Canvas" },
  { value: "text", label: "Text" },
] as const;

interface SharedFlowProps {
  flow: LinkedFlow & { description?: string | null };
  /** Where it is copied from. */
  from: PublicSource;
  /** The runs that visitors may start; null: none. */
  runs: { token: string; left: number } | null;
  mayCopy: boolean;
  /** The path of the page, for those who are not signed in. */
  signInTo: string | undefined;
}

export function SharedFlow({
  flow: { name, team, source, layout, description },
  from,
  runs,
  mayCopy,
  signInTo,
}: SharedFlowProps) {
  const [view, setView] = useState<(typeof views)[number]["value"]>("canvas");
  return (
    <>
      <SharedBar name={name} team={team} signInTo={signInTo}>
        {mayCopy && <CopyFlowButton from={from} />}
        <ChoiceSwitch label="Show as" value={view} choices={views} onChange={setView} />
      </SharedBar>
      {description && <p className="border-b bg-surface px-3 py-2 text-pretty text-text-muted">{description}</p>}
      <div className="flex min-h-0 flex-1 flex-col md:flex-row">
        {view === "canvas" ? <StillCanvas source={source} layout={layout} /> : <FlowText source={source} />}
        {runs && <VisitorRunPane token={runs.token} runsLeft={runs.left} team={team} />}
      </div>
    </>
  );
}

function CopyFlowButton({ from }: { from: PublicSource }) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const copy = async (): Promise<void> => {
    setPending(true);
    try {
      router.push(`/flows/${await copyFlow(from)}`);
    } catch (error) {
      setPending(false);
      showError(error);
    }
  };
  return (
    <Button size="small" pending={pending} onClick={() => void copy()}>
      <Copy size={14} aria-hidden /> Copy<span className="max-sm:sr-only"> to my team</span>
    </Button>
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
