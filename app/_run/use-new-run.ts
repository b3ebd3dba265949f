import { useRouter } from "next/navigation";
import { useState } from "react";
import { showError } from "../_ui/toast/show-error";

/** Starts a run by a request that answers its id, and opens it. */
export function useNewRun(): { start(request: () => Promise<string>): Promise<void>; isPending: boolean } {
  const router = useRouter();
  const [isPending, setPending] = useState(false);
  const start = async (request: () => Promise<string>): Promise<void> => {
    setPending(true);
    try {
      router.push(`/runs/${await request()}`);
    } catch (error) {
      showError(error);
    }
    setPending(false);
  };
  return { start, isPending };
}
