import type { SourceDocument } from "@/lib/core/source/read/source-document";
import { getEditing, toDocument } from "../../editing/editing";
import type { Session } from "../../session";
import { setTwins } from "../keep-text";
import type { TwinText } from "../live";
import { labelField } from "./label-field";
import { nameOnlyOther } from "./name-only-other";
import { followPieces, readPart, splitPieces } from "./twin-pieces";

/** Asks about more fields, each once. */
export function addTwins(session: Session, twins: readonly TwinText[]): void {
  const { live } = session;
  if (twins.length === 0) return;
  const { twins: known } = live.store.getState();
  const fields = new Set(twins.map(({ field }) => JSON.stringify(field)));
  const others = known.filter(({ field }) => !fields.has(JSON.stringify(field)));
  live.store.setState({ twins: [...others, ...twins] });
  if (known.length === 0) followTwins(session);
}

/** A question of an earlier visit with the text as it is now; null: the field has this user's text. */
export function catchUpTwin(document: SourceDocument, twin: TwinText): TwinText | null {
  const next = followTwin(document, twin, true);
  return isOver(next) ? null : next;
}

const isOver = ({ merged, parts }: TwinText): boolean =>
  parts.some(({ name, text }) => name === null && text === merged);

/** Lets the open questions follow the text, until there are none. */
function followTwins(session: Session): void {
  const { editor, live } = session;
  const stop = editor.store.subscribe(({ document }, before) => {
    const { twins } = live.store.getState();
    if (twins.length === 0) return stop();
    if (document === before.document || document.broken) return;
    const now = toDocument(document);
    const next = twins.map((twin) => followTwin(now, twin, live.isReceiving()));
    if (next.every((twin, index) => twin === twins[index])) return;
    setTwins(
      session,
      next.filter((twin) => !isOver(twin)),
    );
    if (live.isReceiving()) for (const twin of next) if (isOver(twin)) tellOfDecision(session, twin);
  });
}

/** With what was changed in the field since: each part is what the field has when it is chosen. `isReceived`: others changed it. */
function followTwin(document: SourceDocument, twin: TwinText, isReceived: boolean): TwinText {
  const { readField, joinTexts } = getEditing();
  const now = readField(document, twin.field);
  if (now === twin.merged) return twin;
  const [first, second] = twin.parts;
  const before = twin.pieces ?? splitPieces({ merged: twin.merged, first: first.text, second: second.text });
  const pieces = followPieces(before, { now, own: first.name === null ? 0 : 1, isReceived });
  const toName = (name: string | null): string | null => (name !== null && isReceived ? "the flow" : name);
  const parts: TwinText["parts"] = [
    { name: toName(first.name), text: readPart(pieces, 0) },
    { name: toName(second.name), text: readPart(pieces, 1) },
  ];
  const isWhole = pieces.every(({ isInField }) => isInField);
  const joined = isWhole ? now : joinTexts(document, twin.field, [parts[0].text, parts[1].text]);
  const isChanged = twin.isChanged === true || isReceived;
  return { ...twin, merged: now, pieces, parts, both: twin.both === null ? null : joined, isChanged };
}

const tellOfDecision = ({ live, notify }: Session, { field }: TwinText): void =>
  notify.info(`${nameOnlyOther(live)} chose your text for the ${labelField(field)}.`);
