import { type SubmitEvent, useState } from "react";
import { findInvalid } from "./describe-invalid";
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
  /**
   * Properties of a form. React holds what is submitted before the page's code has come, and passes it to `action`: the browser
   * would put it into the address. An `action` empties the fields, so `onSubmit` comes first.
   */
  const submit = (send: (form: FormData) => Promise<void>) => ({
    noValidate: true,
    action: (form: FormData) => perform(() => send(form)),
    onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
      event.preventDefault();
      const invalid = findInvalid(event.currentTarget);
      if (invalid) {
        setProblem(invalid.problem);
        invalid.field.focus();
        return;
      }
      const form = new FormData(event.currentTarget);
      void perform(() => send(form));
    },
  });
  return { pending, problem, perform, submit };
}

/** A text of a form. */
export const readField = (form: FormData, name: string): string => String(form.get(name) ?? "");
