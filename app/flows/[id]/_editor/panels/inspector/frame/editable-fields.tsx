import type { ReactNode } from "react";
import { useSession } from "../../../state/session-context";

const disabledLook =
  "disabled:[&_:is(input,textarea,select)]:border-line disabled:[&_:is(input,textarea,select)]:bg-transparent disabled:[&_button]:opacity-60";

/** Fields that change the flow: disabled for users who may only read it. */
export function EditableFields({ className, children }: { className: string; children: ReactNode }) {
  const { access } = useSession();
  return (
    <fieldset disabled={!access.mayEdit} className={`min-w-0 ${disabledLook} ${className}`}>
      {children}
    </fieldset>
  );
}
