import { Play } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { FlowSummary } from "@/lib/server/flows/list-flows";
import { startRun } from "../../_run/start-run";
import { Button } from "../../_ui/controls/button";
import { showError } from "../../_ui/toast/show-error";

export function FirstRun({ flow, input }: { flow: FlowSummary; input: string }) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const run = async (): Promise<void> => {
    setPending(true);
    try {
      router.push(`/flows/${flow.id}?run=${await startRun(flow.id, { input })}`);
    } catch (error) {
      showError(error);
      setPending(false);
    }
  };
  return (
    <section
      aria-labelledby="first-run"
      className="flex flex-col gap-3 rounded-lg border border-accent/40 bg-accent-soft p-4 sm:flex-row sm:items-center"
    >
      <div className="min-w-0 flex-1">
        <h2 id="first-run" className="font-semibold text-sm">
          See a swarm at work
        </h2>
        <p className="mt-1 text-text-muted">
          Six agents plan, research in parallel, review and write. The models are simulated, so it needs no key; the
          tools, the parallelism and the timeline are real.
        </p>
        <p className="mt-2 truncate font-mono text-text-muted text-xs">“{input}”</p>
      </div>
      <Button variant="primary" size="large" pending={pending} onClick={() => void run()}>
        <Play size={16} aria-hidden /> Run the demo
      </Button>
    </section>
  );
}
