import { useRouter } from "next/navigation";
import { useEffect, useTransition } from "react";
import { isTerminal } from "@/lib/core/run/events/run-status";
import type { ComparedRun } from "@/lib/server/runs/read/compare-runs";

const activeMs = 1000;
/** Where a person has to act first. */
const waitingMs = 4000;

/** Reads the page's runs again while one of them is under way; the pause in between in milliseconds, undefined once all have ended. */
export function useLiveRuns(runs: readonly ComparedRun[]): number | undefined {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const live = runs.filter(({ status }) => !isTerminal(status));
  const isActive = live.some(({ status }) => status === "INIT" || status === "RUNNING");
  const refreshMs = live.length === 0 ? undefined : isActive ? activeMs : waitingMs;
  useEffect(() => {
    if (refreshMs === undefined || isPending) return;
    const timer = setTimeout(() => startTransition(() => router.refresh()), refreshMs);
    return () => clearTimeout(timer);
  }, [refreshMs, isPending, router]);
  return refreshMs;
}
