import { type Hit, rangeOfHit } from "@/lib/core/source/query/search-flow";
import type { Session } from "../../state/session";

export function showHit({ editor, actions, view }: Session, { owner }: Hit): void {
  const node = editor.store.getState().arrangement.nodes.find(({ name }) => name === owner);
  if (!node) return;
  actions.show(node.key);
  view.setState({ inspectorOpen: true });
}

export function showHitInText(session: Session, hit: Hit): void {
  const { document } = session.editor.store.getState();
  showHit(session, hit);
  const range = rangeOfHit(document, hit);
  if (!range) return;
  session.view.setState({ textOpen: true, narrowPane: "text" });
  session.text.goTo(range);
}
