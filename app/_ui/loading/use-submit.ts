import { type SubmitEvent, useState } from "react";
import { messageOf } from "./fetch-json";

/**
 * Performs one action of a form at a time and keeps why it failed. `leaves`: the page is left after one succeeded, until then
 * it stays pending.
 */
export function useSubmit({ leaves = false } = {}) {
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const perform = async (action: () => Promise<void>): Promise<void> => {
    setPending(true);
    setProblem(null);
    try {
      await action();
      if (!leaves) setPending(false);
    } catch (error) {
      setProblem(messageOf(error));
      setPending(false);
    }
  };
  /** For `onSubmit` of a form. */
  const submit = (send: (form: FormData) => Promise<void>) => (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    void perform(() => send(form));
  };
  return { pending, problem, perform, submit };
}

/** A text of a form. */
export const readField = (form: FormData, name: string): string => String(form.get(name) ?? "");
