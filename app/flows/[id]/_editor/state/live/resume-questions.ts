import { getEditing, toDocument } from "../editing/editing";
import type { Session } from "../session";
import type { LiveState, LostWriting, TwinText } from "./live";
import { addTwins, catchUpTwin } from "./twins/follow-twins";

/** Asks again what an earlier visit left open. */
export function resumeQuestions(session: Session, { lost, twins }: Pick<LiveState, "lost" | "twins">): void {
  const { live, editor } = session;
  const document = toDocument(editor.store.getState().document);
  const isThere = ({ field }: TwinText): boolean =>
    !("name" in field) || document.declarations.has(field.name) || document.flow.vars.has(field.name);
  const orphaned = twins.filter((twin) => !isThere(twin)).map(toLost);
  live.store.setState((state) => ({ lost: [...state.lost, ...lost, ...orphaned] }));
  addTwins(
    session,
    twins.filter(isThere).flatMap((twin) => catchUpTwin(document, twin) ?? []),
  );
}

/** What had the field is gone. */
function toLost({ owner, field, parts }: TwinText): LostWriting {
  const own = parts.find(({ name }) => name === null)?.text ?? "";
  return { owner, by: null, isReplaced: false, field: getEditing().withValue(field, own), text: own, before: null };
}
