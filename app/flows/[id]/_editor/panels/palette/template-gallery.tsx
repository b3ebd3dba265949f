import { useEffect, useState } from "react";
import * as z from "zod/mini";
import TemplateDialog from "@/app/_flows/template-dialog";
import { fetchJson } from "@/app/_ui/loading/fetch-json";
import { showError } from "@/app/_ui/toast/show-error";
import { type Template, templateSchema } from "@/lib/templates/template";
import type { InsertTarget } from "../../state/edits/insert-target";
import { useSession } from "../../state/session-context";

const answerSchema = z.object({ templates: z.array(templateSchema) });

export default function TemplateGallery({ target }: { target: InsertTarget }) {
  const { view, actions } = useSession();
  const [templates, setTemplates] = useState<readonly Template[] | null>(null);
  const close = (): void => view.setState({ surface: null });
  useEffect(() => {
    const stop = new AbortController();
    fetchJson("/api/v1/templates", answerSchema, { signal: stop.signal }).then(
      (response) => setTemplates(response.templates),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        showError(error);
        view.setState({ surface: null });
      },
    );
    return () => stop.abort();
  }, [view]);
  return (
    <TemplateDialog
      title="Insert a template"
      description="It is inserted at the current position, with new names. A single undo removes it."
      templates={templates ?? []}
      pending={templates === null}
      onClose={close}
      onChoose={(source) => {
        close();
        actions.insert(source, target);
      }}
    />
  );
}
