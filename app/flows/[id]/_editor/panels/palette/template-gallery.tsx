import { useEffect, useState } from "react";
import TemplateDialog from "@/app/_flows/template-dialog";
import { fetchJson } from "@/app/_ui/loading/fetch-json";
import { showError } from "@/app/_ui/toast/show-error";
import type { Template } from "@/lib/templates/files";
import type { InsertTarget } from "../../state/edits/insert-target";
import { useSession } from "../../state/session-context";

export default function TemplateGallery({ target }: { target: InsertTarget }) {
  const { view, commands } = useSession();
  const [templates, setTemplates] = useState<readonly Template[] | null>(null);
  const close = (): void => view.setState({ surface: null });
  useEffect(() => {
    const stop = new AbortController();
    fetchJson<{ templates: Template[] }>("/api/v1/templates", { signal: stop.signal }).then(
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
        commands.insert(source, target);
      }}
    />
  );
}
