import { useRouter } from "next/navigation";
import { useState } from "react";
import ImportDialog, { type ImportActionsProps } from "@/app/_formats/import-dialog";
import { Button } from "@/app/_ui/controls/button";
import { createdSchema, fetchJson, fetchText } from "@/app/_ui/loading/fetch-json";
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
  const { view, editor, camera, actions, notify, seed } = useSession();
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const nothing = source === "" || pending;
  /** Closes the dialog unless the action fails, or answers that nothing was done. */
  const perform = async (action: () => Promise<boolean>): Promise<void> => {
    setPending(true);
    try {
      if (await action()) view.setState({ surface: null });
    } catch (error) {
      showError(error);
    }
    setPending(false);
  };
  const create = async (): Promise<boolean> => {
    const { id } = await fetchJson("/api/v1/flows", createdSchema, { json: { source, imported: true } });
    router.push(`/flows/${id}`);
    return true;
  };
  /** Before the text is here: what it reaches beyond this flow is asked about before the next run. */
  const expectImport = (): Promise<unknown> => fetchText(`/api/v1/flows/${seed.id}/reach`, { method: "PUT" });
  const replace = async (): Promise<boolean> => {
    await expectImport();
    editor.replace(source, emptyLayout);
    camera.fit();
    notify.info("The flow was replaced. Undo restores the previous one.");
    return true;
  };
  const insert = async (): Promise<boolean> => {
    await expectImport();
    const isDone = actions.insert(source);
    if (isDone) camera.fit();
    return isDone;
  };
  return (
    <>
      <Button disabled={nothing} onClick={() => void perform(insert)}>
        Insert into this flow
      </Button>
      <Button disabled={nothing} onClick={() => void perform(replace)}>
        Replace this flow
      </Button>
      <Button variant="primary" disabled={nothing} pending={pending} onClick={() => void perform(create)}>
        Create a new flow
      </Button>
    </>
  );
}
