"use client";
import { createContext, type ReactNode, useContext, useState } from "react";
import { type AccountProofs, ConfirmDialog } from "./confirm-dialog";
import { withConfirmation } from "./with-confirmation";

type ConfirmedPerform = <T>(action: () => Promise<T>) => Promise<T>;

const ConfirmationContext = createContext<ConfirmedPerform>((action) => action());

/** Performs what changes how the account is signed in to; asks the user to confirm who they are where that is needed. */
export const useConfirmation = (): ConfirmedPerform => useContext(ConfirmationContext);

export function Confirmation({ proofs, children }: { proofs: AccountProofs; children: ReactNode }) {
  const [answer, setAnswer] = useState<((isConfirmed: boolean) => void) | null>(null);
  const confirm = async (): Promise<boolean> => {
    const isConfirmed = await new Promise<boolean>((resolve) => setAnswer(() => resolve));
    setAnswer(null);
    return isConfirmed;
  };
  return (
    <ConfirmationContext value={(action) => withConfirmation(action, confirm)}>
      {children}
      {answer && <ConfirmDialog proofs={proofs} onConfirmed={() => answer(true)} onCancel={() => answer(false)} />}
    </ConfirmationContext>
  );
}
