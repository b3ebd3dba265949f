import { diffLetters } from "@/lib/core/flow/rebase/diff-letters";
import { diffBySigns, toWordChanges } from "@/lib/core/flow/rebase/diff-tokens";
import { rebaseChanges } from "@/lib/core/flow/rebase/rebase-changes";
import { applyChanges } from "@/lib/core/flow/text-change";
import { splitLines, type TextChange } from "@/lib/core/flow/text-range";
import type { SourceDocument } from "@/lib/core/source/read/source-document";
import { getEditing, toDocument } from "../editing/editing";
import type { Session } from "../session";
import type { TwinPart, TwinText } from "./live";

/**
 * Makes a field the text that the user chose of two. What others typed in the field since the question was asked stays.
 * Returns why it is impossible, else null.
 */
export function keepText(
  { editor }: Pick<Session, "editor">,
  { field, merged }: TwinText,
  chosen: string,
): string | null {
  const { readField, withValue } = getEditing();
  const now = readField(toDocument(editor.store.getState().document), field);
  const changes = rebaseChanges(diffLetters(merged, chosen), diffLetters(merged, now));
  if (changes.length === 0) return null;
  return editor.dispatch([withValue(field, applyChanges(now, changes))])?.message ?? null;
}

/** Answers a question, unless it has changed since the user saw it. Returns why it is impossible, else null. */
export function answerTwin(session: Session, twin: TwinText, chosen: string): string | null {
  const { twins } = session.live.store.getState();
  if (!twins.includes(twin)) return null;
  setTwins(
    session,
    twins.filter((other) => other !== twin),
  );
  return keepText(session, twin, chosen);
}

/** The dialog closes with the last question. */
export function setTwins({ live, view }: Session, twins: readonly TwinText[]): void {
  live.store.setState({ twins });
  if (twins.length === 0 && view.getState().dialog === "twins") view.setState({ dialog: null });
}

/** Lets the open questions follow the text, until there are none. */
export function followTwins(session: Session): void {
  const { editor, live } = session;
  const stop = editor.store.subscribe(({ document }, before) => {
    const { twins } = live.store.getState();
    if (twins.length === 0) return stop();
    if (document === before.document || document.broken) return;
    const now = toDocument(document);
    const next = twins.map((twin) => followTwin(now, twin, live.isReceiving()));
    if (next.every((twin, index) => twin === twins[index])) return;
    const isOver = ({ merged, parts }: TwinText): boolean =>
      parts.some(({ name, text }) => name === null && text === merged);
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
  const changes = diffLines(twin.merged, now);
  const changesIn = (text: string) => rebaseChanges(changes, diffLines(twin.merged, text));
  const follow = (text: string): string => applyChanges(`${text}\n`, changesIn(text)).replace(/\n$/, "");
  // What others take of the user's own text only the user gives up.
  const isKept = ({ name, text }: TwinPart): boolean =>
    isReceived && name === null && changesIn(text).some(({ from: start, to: end }) => start < end);
  const followPart = (part: TwinPart): TwinPart => ({
    name: part.name !== null && isReceived ? "the flow" : part.name,
    text: isKept(part) ? part.text : follow(part.text),
  });
  const parts: TwinText["parts"] = [followPart(twin.parts[0]), followPart(twin.parts[1])];
  const joined = joinTexts(document, twin.field, [parts[0].text, parts[1].text]);
  const both = twin.both === null || !twin.parts.some(isKept) ? twin.both && follow(twin.both) : joined;
  return { ...twin, merged: now, parts, both, isChanged: twin.isChanged === true || isReceived };
}

/** Each line with its end, also the last one: of two equal ends either may be the one that is left. */
function diffLines(before: string, after: string): TextChange[] {
  const text = `${before}\n`;
  return toWordChanges(text, diffBySigns(splitLines(text), splitLines(`${after}\n`)));
}

function tellOfDecision({ live, notify }: Session, { owner }: TwinText): void {
  const { self, peers } = live.store.getState();
  const [peer, ...others] = peers;
  const name = peer && others.length === 0 && peer.name !== self?.name ? peer.name : "Someone else";
  notify.info(`${name} chose your text${owner === "" ? "" : ` of "${owner}"`}.`);
}
