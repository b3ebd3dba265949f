"use client";

import ImportDialog, { type ImportActionsProps } from "../_formats/import-dialog";
import { Button } from "../_ui/controls/button";

interface ImportFlowDialogProps {
  pending: boolean;
  onClose(): void;
  onCreate(source: string): void;
}

export default function ImportFlowDialog({ pending, onClose, onCreate }: ImportFlowDialogProps) {
  return (
    <ImportDialog
      initialText=""
      model="demo:agent"
      onClose={onClose}
      renderActions={({ source }: ImportActionsProps) => (
        <Button variant="primary" disabled={source === ""} pending={pending} onClick={() => onCreate(source)}>
          Create a new flow
        </Button>
      )}
    />
  );
}
