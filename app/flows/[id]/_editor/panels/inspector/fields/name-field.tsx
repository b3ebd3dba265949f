import { useSession } from "../../../state/session-context";
import { useFieldDraft } from "./use-field-draft";

/** The name of a node as the title of its form, edited in place. */
export function NameField({ name, detail }: { name: string; detail?: string }) {
  const { editor, access } = useSession();
  const rename = (text: string): string | undefined => {
    const to = text.trim();
    return to === name ? undefined : editor.dispatch([{ type: "rename", from: name, to }])?.message;
  };
  const { attributes, problem } = useFieldDraft(name, rename, { commitOn: "leave" });
  return (
    <>
      <input
        {...attributes}
        readOnly={!access.mayEdit}
        aria-label="Name"
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : "name-problem"}
        autoComplete="off"
        spellCheck={false}
        data-inspector-first
        className="-ml-1.5 h-7 w-full truncate rounded-md border border-transparent bg-transparent px-1.5 font-semibold text-sm hover:border-line-strong focus:border-line-input focus:bg-surface aria-invalid:border-danger"
      />
      {detail !== undefined && problem === undefined && <p className="-mt-1 text-[11px] text-text-muted">{detail}</p>}
      {problem !== undefined && (
        <p
          id="name-problem"
          role="alert"
          className="absolute inset-x-3 z-10 rounded-md border border-danger bg-surface-raised px-2 py-1 text-danger text-xs shadow-popover"
        >
          {problem}
        </p>
      )}
    </>
  );
}
