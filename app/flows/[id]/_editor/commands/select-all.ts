import { listNotes } from "@/lib/core/flow/note";
import type { Session } from "../state/session";

export function selectAll({ editor }: Session): void {
  const { arrangement, layout } = editor.store.getState();
  editor.select([...listNotes(layout.notes), ...arrangement.nodes].map(({ key }) => key));
}
