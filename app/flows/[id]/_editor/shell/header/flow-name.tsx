import { useRef } from "react";
import { useFieldDraft } from "../../panels/inspector/fields/use-field-draft";
import { useEditorState, useIsEditable, useSession } from "../../state/session-context";

export const flowNameId = "flow-name";

/** The name of the flow, which is edited where it is read. */
export function FlowName() {
  const { actions } = useSession();
  const name = useEditorState(({ flow }) => flow.name);
  const isEditable = useIsEditable();
  const input = useRef<HTMLInputElement>(null);
  const rename = (text: string): boolean | undefined => {
    const next = text.trim();
    return next === "" ? undefined : actions.edit({ type: "set-flow-name", name: next });
  };
  const { attributes } = useFieldDraft(name, rename, { isWhole: true });
  return (
    <h1 className="flex min-w-0" title={name}>
      <input
        {...attributes}
        ref={input}
        readOnly={!isEditable}
        id={flowNameId}
        aria-label="Flow name"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        onKeyDown={(event) => {
          attributes.onKeyDown(event);
          // After the draft is saved or dropped, so that leaving the field does neither again.
          if (event.key === "Enter" || event.key === "Escape") requestAnimationFrame(() => input.current?.blur());
        }}
        className="field-sizing-content h-7 min-w-8 max-w-100 truncate rounded-md border border-transparent bg-transparent px-1.5 font-semibold text-sm hover:border-line-strong focus:border-line-input focus:bg-surface"
      />
    </h1>
  );
}
