import { getEditing, toDocument } from "../editing/editing";
import type { Session } from "../session";
import { isThere } from "./find-twin";
import type { LiveState, LostWriting, TwinText } from "./live";
import { addTwins, catchUpTwin } from "./twins/follow-twins";

/** Asks again what an earlier visit left open. */
export function resumeQuestions(session: Session, { lost, twins }: Pick<LiveState, "lost" | "twins">): void {
  const { live, editor } = session;
  const document = toDocument(editor.store.getState().document);
  const orphaned = twins.filter(({ field }) => !isThere(document, field)).map(toLost);
  live.store.setState((state) => ({ lost: [...state.lost, ...lost, ...orphaned] }));
  addTwins(
    session,
    twins.flatMap((twin) => (isThere(document, twin.field) ? (catchUpTwin(document, twin) ?? []) : [])),
  );
}

/** What had the field is gone. */
function toLost({ owner, field, parts }: TwinText): LostWriting {
  const own = parts.find(({ name }) => name === null)?.text ?? "";
  return { owner, by: null, isReplaced: false, field: getEditing().withValue(field, own), text: own, before: null };
}
