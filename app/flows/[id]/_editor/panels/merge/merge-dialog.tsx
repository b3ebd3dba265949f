import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/app/_ui/controls/button";
import { Dialog, DialogActions } from "@/app/_ui/controls/dialog";
import { countNouns } from "@/lib/core/flow/format-count";
import { mergeConflict } from "../../state/save/merge-conflict";
import type { Merge } from "../../state/save/merge-versions";
import { saveMerged, takeTheirs } from "../../state/save/resolve-conflict";
import { requestCopy } from "../../state/save/save-request";
import type { Theirs } from "../../state/save/snapshot";
import { useSaveState, useSession } from "../../state/session-context";
import { ConflictCard } from "./conflict-card";
import { createMergeEditor, type MergeEditor } from "./merge-editor";

export default function MergeDialog({ onClose }: { onClose(): void }) {
  const theirs = useSaveState((state) => state.theirs);
  return theirs && <MergeForm key={theirs.revision} theirs={theirs} onClose={onClose} />;
}

function MergeForm({ theirs, onClose }: { theirs: Theirs; onClose(): void }) {
  const session = useSession();
  const { autosave } = session;
  const [merge] = useState(() => mergeConflict(autosave.store.getState(), autosave.store.getState().current, theirs));
  const conflicts = merge.chunks.flatMap((chunk) => (chunk.type === "conflict" ? [chunk] : []));
  const [places, setPlaces] = useState<readonly string[]>(() => conflicts.map(({ mine }) => mine));
  const [decided, setDecided] = useState<ReadonlySet<number>>(new Set());
  const result = useRef<MergeEditor>(null);
  const isDecided = (index: number): boolean => decided.has(index) || places[index] !== conflicts[index]?.mine;
  const undecidedCount = conflicts.filter((_, index) => !isDecided(index)).length;

  const save = (): void => {
    saveMerged(session, theirs, { source: result.current?.text() ?? merge.text, layout: merge.layout });
    onClose();
  };
  return (
    <Dialog open wide onOpenChange={onClose} title="This flow was changed elsewhere too" description={explain(merge)}>
      <div className="grid gap-3">
        {conflicts.map((conflict, index) => (
          <ConflictCard
            key={conflict.number}
            conflict={conflict}
            chosen={places[index] ?? ""}
            decided={isDecided(index)}
            onChoose={(text) => {
              result.current?.put(index, text);
              setDecided(new Set([...decided, index]));
            }}
          />
        ))}
        <Result theirs={theirs.source} merge={merge} onChange={setPlaces} editor={result} />
      </div>
      <DialogActions>
        <OtherWays theirs={theirs} onClose={onClose} />
        <Button variant="primary" disabled={undecidedCount > 0} onClick={save}>
          {undecidedCount === 0 ? "Save the result" : `${countNouns(undecidedCount, "place")} to decide`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function explain({ conflicts, suspicious }: Merge): string {
  if (conflicts > 0)
    return `Nothing is overwritten until you save. ${conflicts === 1 ? "One place was" : `${conflicts} places were`} changed by both; the rest is merged already.`;
  return suspicious
    ? "Both texts are fine by themselves, but together they have errors. Fix the result, then save it."
    : "The changes do not conflict. Check the result, then save it.";
}

interface ResultProps {
  theirs: string;
  merge: Merge;
  onChange(places: readonly string[]): void;
  editor: { current: MergeEditor | null };
}

function Result({ theirs, merge, onChange, editor }: ResultProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!box.current) return;
    const created = createMergeEditor(box.current, { theirs, merge, onChange });
    editor.current = created;
    return () => {
      editor.current = null;
      created.destroy();
    };
  }, [theirs, merge, onChange, editor]);
  return (
    <section aria-label="Merged text">
      <div className="mb-1 grid grid-cols-2 text-xs font-semibold">
        <h3>Theirs</h3>
        <h3>Result (editable)</h3>
      </div>
      <div ref={box} className="merge-view max-h-80 overflow-auto rounded-md border border-line" />
    </section>
  );
}

function OtherWays({ theirs, onClose }: { theirs: Theirs; onClose(): void }) {
  const session = useSession();
  const { autosave, editor, notify } = session;
  const router = useRouter();
  const [copying, setCopying] = useState(false);
  const take = (): void => {
    takeTheirs(session, theirs);
    onClose();
  };
  const copy = async (): Promise<void> => {
    setCopying(true);
    const { flow } = editor.store.getState();
    const id = await requestCopy(`${flow.name} (mine)`, autosave.store.getState().current);
    setCopying(false);
    if (id === null) {
      notify.error("The copy could not be created. Nothing was changed; try again.");
      return;
    }
    take();
    router.push(`/flows/${id}`);
  };
  return (
    <>
      <Button pending={copying} onClick={() => void copy()}>
        Copy mine to a new flow
      </Button>
      <Button onClick={take}>Take theirs</Button>
    </>
  );
}
