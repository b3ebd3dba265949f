import { useRouter } from "next/navigation";
import { useState } from "react";
import ImportDialog, { type ImportActionsProps } from "@/app/_formats/import-dialog";
import { Button } from "@/app/_ui/controls/button";
import { createdSchema, fetchJson } from "@/app/_ui/loading/fetch-json";
import { showError } from "@/app/_ui/toast/show-error";
import { emptyLayout } from "@/lib/core/flow/edit";
import { useSession } from "../../state/session-context";

export default function EditorImport({ text }: { text: string }) {
  const { view, actions } = useSession();
  return (
    <ImportDialog
      initialText={text}
      model={actions.usualModel()}
      onClose={() => view.setState({ surface: null })}
      renderActions={(props) => <Actions {...props} />}
    />
  );
}

function Actions({ source }: ImportActionsProps) {
  const { view, editor, camera, actions, notify } = useSession();
  const router = useRouter();
  const [creating, setCreating] = useState(false);
  const nothing = source === "";
  const create = async (): Promise<void> => {
    setCreating(true);
    try {
      const { id } = await fetchJson("/api/v1/flows", createdSchema, { json: { source, imported: true } });
      view.setState({ surface: null });
      router.push(`/flows/${id}`);
    } catch (error) {
      showError(error);
      setCreating(false);
    }
  };
  const replace = (): void => {
    editor.replace(source, emptyLayout);
    view.setState({ surface: null });
    camera.fit();
    notify.info("The flow was replaced. Undo restores the previous one.");
  };
  const insert = (): void => {
    if (!actions.insert(source)) return;
    view.setState({ surface: null });
    camera.fit();
  };
  return (
    <>
      <Button disabled={nothing} onClick={insert}>
        Insert into this flow
      </Button>
      <Button disabled={nothing} onClick={replace}>
        Replace this flow
      </Button>
      <Button variant="primary" disabled={nothing} pending={creating} onClick={() => void create()}>
        Create a new flow
      </Button>
    </>
  );
}
