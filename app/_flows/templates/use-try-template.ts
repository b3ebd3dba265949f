import { useRouter } from "next/navigation";
import { useState } from "react";
import type { Template } from "@/lib/templates/template";
import { startRun } from "../../_run/start-run";
import { createdSchema, fetchJson } from "../../_ui/loading/fetch-json";
import { showError } from "../../_ui/toast/show-error";

/** Makes a flow of a template, runs it on simulated models, and opens it with the run. */
export function useTryTemplate(): { pending: string | null; start(template: Template): void } {
  const router = useRouter();
  const [pending, setPending] = useState<string | null>(null);
  const run = async ({ source, input }: Template): Promise<void> => {
    const { id } = await fetchJson("/api/v1/flows", createdSchema, { json: { source } });
    router.push(`/flows/${id}?run=${await startRun(id, { input, simulate: true })}`);
  };
  const start = (template: Template): void => {
    setPending(template.name);
    run(template).catch((error: unknown) => {
      showError(error);
      setPending(null);
    });
  };
  return { pending, start };
}
