import { useEffect, useEffectEvent, useState } from "react";
import * as z from "zod/mini";
import { type Template, templateSchema } from "@/lib/templates/template";
import { fetchJson } from "../../_ui/loading/fetch-json";
import { showError } from "../../_ui/toast/show-error";

const answerSchema = z.object({ templates: z.array(templateSchema) });

/** Null while they are loading. */
export function useTemplates(onFailed: () => void): readonly Template[] | null {
  const [templates, setTemplates] = useState<readonly Template[] | null>(null);
  const fail = useEffectEvent(onFailed);
  useEffect(() => {
    const stop = new AbortController();
    fetchJson("/api/v1/templates", answerSchema, { signal: stop.signal }).then(
      (response) => setTemplates(response.templates),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        showError(error);
        fail();
      },
    );
    return () => stop.abort();
  }, []);
  return templates;
}
