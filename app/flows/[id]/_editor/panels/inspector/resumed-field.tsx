import { type FocusEvent, useRef } from "react";
import { getEditing, toDocument } from "../../state/editing/editing";
import { nameOfDeclaration } from "../../state/editor/follow-renames";
import type { ResumedField as Resumed } from "../../state/live/live";
import { useEditorState, useSession } from "../../state/session-context";
import { AreaField } from "./fields/fields";
import { useFieldText } from "./fields/use-field-text";

/** The field that a user was writing on in when someone restored what it is of: every letter goes on into the flow. */
export function ResumedField({ resumed }: { resumed: Resumed }) {
  const name = useEditorState(({ ids, flow }) => nameOfDeclaration(ids, flow, resumed.id));
  return name === null ? null : <NamedField name={name} resumed={resumed} />;
}

function NamedField({ name, resumed: { by, field: unnamed, caret } }: { name: string; resumed: Resumed }) {
  const { actions, live } = useSession();
  const isFirst = useRef(true);
  const { readField, withValue } = getEditing();
  const field = "name" in unnamed ? { ...unnamed, name } : unnamed;
  const toEdit = (text: string) => withValue(field, text);
  const stored = useEditorState(({ document }) => readField(toDocument(document), field));
  const value = useFieldText({ value: stored, toEdit });
  const takeFocus = (box: HTMLElement | null): void => {
    const area = box?.querySelector("textarea");
    if (!area || !isFirst.current) return;
    isFirst.current = false;
    area.focus();
    area.setSelectionRange(caret, caret);
  };
  const leave = ({ target }: FocusEvent): void => {
    // A window that is left keeps its field.
    if (document.activeElement !== target) live.store.setState({ resumed: null });
  };
  return (
    <section ref={takeFocus} aria-label="Restored text" onBlur={leave} className="shrink-0 border-line border-b p-3">
      <AreaField
        text={{
          label: `Your text of ${name}`,
          hint: `${by ?? "Someone else"} restored ${name}. What you write here is in the flow.`,
        }}
        binding={{ value, onCommit: (text) => actions.edit(toEdit(text)) }}
      />
    </section>
  );
}
