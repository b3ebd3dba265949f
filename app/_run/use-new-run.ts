import { useRouter } from "next/navigation";
import { useState } from "react";
import { showError } from "../_ui/toast/show-error";

interface NewRunState {
  /** Starts a run by a request that answers its id, and shows it. */
  start(request: () => Promise<string>): Promise<void>;
  /** Starts several that continue a run by a request that answers their ids, and compares them with it. */
  startForks(parentId: string, request: () => Promise<readonly string[]>): Promise<void>;
  isPending: boolean;
}

/** `onStarted` shows a new run; missing: its page is opened. */
export function useNewRun(onStarted?: (runId: string) => void): NewRunState {
  const router = useRouter();
  const show = onStarted ?? ((runId: string) => router.push(`/runs/${runId}`));
  const [isPending, setPending] = useState(false);
  const perform = async (startAndOpen: () => Promise<void>): Promise<void> => {
    setPending(true);
    await startAndOpen().catch(showError);
    setPending(false);
  };
  return {
    start: (request) => perform(async () => show(await request())),
    startForks: (parentId, request) =>
      perform(async () => {
        const ids = [parentId, ...(await request())];
        router.push(`/runs/compare?runs=${ids.join()}`);
      }),
    isPending,
  };
}
