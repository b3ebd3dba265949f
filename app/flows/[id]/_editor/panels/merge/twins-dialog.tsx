import { Button } from "@/app/_ui/controls/button";
import { Dialog, DialogActions } from "@/app/_ui/controls/dialog";
import { answerTwin } from "../../state/live/keep-text";
import type { TwinPart, TwinText } from "../../state/live/live";
import { useLive, useSession } from "../../state/session-context";
import { describeTwin, titleOfTwin } from "./describe-twin";

const ownerOf = ({ name }: TwinPart): string =>
  name === null ? "yours" : name === "the flow" ? "the other text" : `${name}'s`;
const titleOf = (part: TwinPart): string =>
  ownerOf(part).replace(/^(?:yours?|the|someone)\b/, (word) => `${word[0]?.toUpperCase()}${word.slice(1)}`);

/** Two texts that two people have for one field while one of them was offline: the flow has both until a user chooses. */
export default function TwinsDialog({ onClose }: { onClose(): void }) {
  const twin = useLive(({ twins }) => twins[0]);
  return twin ? <TwinForm key={JSON.stringify(twin.field)} twin={twin} onClose={onClose} /> : null;
}

function TwinForm({ twin, onClose }: { twin: TwinText; onClose(): void }) {
  const session = useSession();
  const [first, second] = twin.parts[1].name === null ? [twin.parts[1], twin.parts[0]] : twin.parts;
  const keep = (text: string): void => {
    const problem = answerTwin(session, twin, text);
    if (problem !== null) session.notify.error(`${problem} Nothing was changed: edit the text in its field.`);
  };
  return (
    <Dialog open onOpenChange={onClose} title={titleOfTwin(twin)} description={describeTwin(twin)}>
      <p role="status" className="mb-2 text-xs empty:hidden">
        {twin.isChanged && "Someone else has changed this text since you were asked. You see it as it is now."}
      </p>
      <div className="grid gap-2 sm:grid-cols-2">
        <Part part={first} />
        <Part part={second} />
      </div>
      <DialogActions>
        <Button onClick={() => keep(first.text)}>Keep {ownerOf(first)}</Button>
        <Button onClick={() => keep(second.text)}>Keep {ownerOf(second)}</Button>
        {twin.both !== null && (
          <Button variant="primary" onClick={() => keep(twin.both ?? twin.merged)}>
            Keep both
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

function Part({ part }: { part: TwinPart }) {
  return (
    <section aria-label={titleOf(part)} className="min-w-0">
      <h3 className="mb-1 font-semibold text-[11px] text-text-muted">{titleOf(part)}</h3>
      <pre className="max-h-40 overflow-auto whitespace-pre-wrap rounded border border-line bg-surface-sunken px-2 py-1 font-sans text-xs leading-5">
        {part.text === "" ? "(empty)" : part.text}
      </pre>
    </section>
  );
}
