import { useState } from "react";
import { messageOf } from "@/app/_ui/loading/fetch-json";

/** The state of a form while it is sent, and why it was refused. */
export function useSaving() {
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const send = <T>(request: Promise<T>, onSaved: (saved: T) => void): void => {
    setPending(true);
    setProblem(null);
    request.then(onSaved, (error: unknown) => {
      setProblem(messageOf(error));
      setPending(false);
    });
  };
  return { pending, problem, send };
}
