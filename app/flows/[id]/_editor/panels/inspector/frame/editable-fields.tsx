import type { ReactNode } from "react";
import { useSession } from "../../../state/session-context";

/** Fields that change the flow: disabled for users who may only read it. */
export function EditableFields({ className, children }: { className: string; children: ReactNode }) {
  const { access } = useSession();
  return (
    <fieldset disabled={!access.mayEdit} className={`min-w-0 ${className}`}>
      {children}
    </fieldset>
  );
}
