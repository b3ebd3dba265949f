import { useRouter } from "next/navigation";
import { useState } from "react";
import { showError } from "../_ui/toast/show-error";
import { runAgain as requestRunAgain } from "./start-run";

/** Starts the same flow on the same input, and opens the new run. */
export function useRunAgain(runId: string): { runAgain(): Promise<void>; isPending: boolean } {
  const router = useRouter();
  const [isPending, setPending] = useState(false);
  const runAgain = async (): Promise<void> => {
    setPending(true);
    try {
      router.push(`/runs/${await requestRunAgain(runId)}`);
    } catch (error) {
      showError(error);
    }
    setPending(false);
  };
  return { runAgain, isPending };
}
