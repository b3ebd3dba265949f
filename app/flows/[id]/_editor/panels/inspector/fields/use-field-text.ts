import type { Edit } from "@/lib/core/flow/edit";
import { getEditing, toDocument } from "../../../state/editing/editing";
import { useEditorState, useSession } from "../../../state/session-context";

interface WrittenField {
  value: string;
  toEdit(text: string): Edit;
}

/** The text of a field as it is typed: where others write in it too, with the empty lines at its end that the flow leaves out. */
export function useFieldText({ value, toEdit }: WrittenField): string {
  const { live } = useSession();
  const typed = useEditorState(({ document, text }) =>
    live.isTogether() && document.text === text ? getEditing().readTextField(toDocument(document), toEdit("")) : null,
  );
  return typed ?? value;
}
