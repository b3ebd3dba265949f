import TemplateDialog from "@/app/_flows/template-dialog";
import { useTemplates } from "@/app/_flows/templates/use-templates";
import type { InsertTarget } from "../../state/edits/insert-target";
import { useSession } from "../../state/session-context";

export default function TemplateGallery({ target }: { target: InsertTarget }) {
  const { view, actions } = useSession();
  const close = (): void => view.setState({ surface: null });
  const templates = useTemplates(close);
  return (
    <TemplateDialog
      insertion={{
        title: "Insert a template",
        description: "It is inserted at the current position, with new names. A single undo removes it.",
      }}
      templates={templates}
      pending={false}
      onClose={close}
      onChoose={(source) => {
        close();
        actions.insert(source, target);
      }}
    />
  );
}
