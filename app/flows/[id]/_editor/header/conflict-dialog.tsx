"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/app/_ui/button";
import { Dialog, DialogActions } from "@/app/_ui/dialog";
import { requestCopy } from "../save/save-request";
import { useSaveState, useSession } from "../session-context";
import { markDifferent } from "./mark-different";

/** Somebody else saved this flow since: shows both, and does only what is chosen. */
export function ConflictDialog({ onClose }: { onClose(): void }) {
  const { autosave, editor, notify } = useSession();
  const router = useRouter();
  const mine = useSaveState((state) => state.current.source);
  const theirs = useSaveState((state) => state.theirs);
  const [copying, setCopying] = useState(false);
  if (!theirs) return null;

  const take = (): void => {
    autosave.apply({ type: "took-theirs" });
    editor.replace(theirs.source, theirs.layout);
    onClose();
  };
  const keep = (): void => {
    autosave.apply({ type: "kept-mine" });
    onClose();
  };
  const copy = async (): Promise<void> => {
    setCopying(true);
    const { flow } = editor.store.getState();
    const id = await requestCopy(`${flow.name} (mine)`, autosave.store.getState().current);
    setCopying(false);
    if (id === null) {
      notify.error("The copy could not be made. Nothing was changed; try again.");
      return;
    }
    take();
    router.push(`/flows/${id}`);
  };

  const [left, right] = markDifferent(mine, theirs.source);
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title="This flow was changed elsewhere"
      description="Nothing is overwritten until you choose. Both texts, with the lines that differ marked:"
    >
      <div className="grid gap-3 md:grid-cols-2">
        <Version title="Mine" lines={left} />
        <Version title="Theirs" lines={right} />
      </div>
      <DialogActions>
        <Button pending={copying} onClick={() => void copy()}>
          Copy mine to a new flow
        </Button>
        <Button onClick={take}>Take theirs</Button>
        <Button variant="primary" onClick={keep}>
          Keep mine
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Version({
  title,
  lines,
}: {
  title: string;
  lines: readonly { number: number; text: string; differs: boolean }[];
}) {
  return (
    <section aria-label={title} className="min-w-0">
      <h3 className="mb-1 font-semibold text-xs">{title}</h3>
      <pre className="h-72 overflow-auto rounded-md border border-line bg-surface-sunken py-1 font-mono text-xs leading-5">
        {lines.map(({ number, text, differs }) => (
          <div key={number} className={`min-w-max px-2 ${differs ? "bg-warning-soft" : ""}`}>
            {text === "" ? " " : text}
          </div>
        ))}
      </pre>
    </section>
  );
}
