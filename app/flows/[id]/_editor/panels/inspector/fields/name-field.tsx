import { useSession } from "../../../state/session-context";
import { TextField } from "./fields";

const firstField = "[data-inspector-first]";

export function NameField({ name }: { name: string }) {
  const { editor } = useSession();
  const rename = (text: string): string | undefined => {
    const to = text.trim();
    const isWriting = document.activeElement?.matches(firstField) === true;
    const problem = to === name ? null : editor.dispatch([{ type: "rename", from: name, to }]);
    // A renamed node gets a new form, which must not lose the focus.
    if (!problem && isWriting) requestAnimationFrame(() => document.querySelector<HTMLElement>(firstField)?.focus());
    return problem?.message;
  };
  return (
    <TextField text={{ label: "Name" }} binding={{ value: name, onCommit: rename, commitOn: "leave" }} mono isFirst />
  );
}
