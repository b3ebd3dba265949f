import { Button } from "@/app/_ui/controls/button";
import { Dialog, DialogActions } from "@/app/_ui/controls/dialog";
import { dropTwin } from "../../state/live/drop-twin";
import type { TwinPart, TwinText } from "../../state/live/live";
import { useLive, useSession } from "../../state/session-context";

const ownerOf = ({ name }: TwinPart): string => (name === null ? "yours" : `${name}'s`);

/** What two people wrote at one place while one of them was offline: both texts are in the file until a user chooses. */
export default function TwinsDialog({ onClose }: { onClose(): void }) {
  const { live } = useSession();
  const [twin, ...otherTwins] = useLive(({ twins }) => twins);
  if (!twin) return null;
  const next = (): void => {
    live.store.setState({ twins: otherTwins });
    if (otherTwins.length === 0) onClose();
  };
  return <TwinForm key={twin.parts.map(({ text }) => text).join()} twin={twin} onDone={next} />;
}

function TwinForm({ twin, onDone }: { twin: TwinText; onDone(): void }) {
  const session = useSession();
  const [first, second] = twin.parts;
  const drop = (part: TwinPart): void => {
    if (!dropTwin(session, twin, part))
      session.notify.error(
        "The text was changed meanwhile. Both texts are still there; delete one of them in the field.",
      );
    onDone();
  };
  return (
    <Dialog
      open
      onOpenChange={onDone}
      title={`Two texts for ${twin.owner === "" ? "one field" : `"${twin.owner}"`}`}
      description="They were written while you were offline. Both are in the flow now, one after the other."
    >
      <div className="grid gap-2 sm:grid-cols-2">
        <Part part={first} />
        <Part part={second} />
      </div>
      <DialogActions>
        <Button onClick={() => drop(second)}>Keep {ownerOf(first)}</Button>
        <Button onClick={() => drop(first)}>Keep {ownerOf(second)}</Button>
        <Button variant="primary" onClick={onDone}>
          Keep both
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Part({ part }: { part: TwinPart }) {
  return (
    <section className="min-w-0">
      <h4 className="mb-1 font-semibold text-[11px] text-text-muted">{part.name ?? "Yours"}</h4>
      <pre className="max-h-40 overflow-auto whitespace-pre-wrap rounded border border-line bg-surface-sunken px-2 py-1 font-sans text-xs leading-5">
        {part.text.replace(/\n +/g, "\n")}
      </pre>
    </section>
  );
}
