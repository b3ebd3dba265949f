"use client";
import dynamic from "next/dynamic";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { SharedBar } from "@/app/_share/shared-bar";
import { LoadProblem } from "@/app/_ui/controls/load-problem";
import { loadPart } from "@/app/_ui/loading/load-part";
import { useLoaded } from "@/app/_ui/loading/use-loaded";
import type { SharedPage } from "@/lib/server/share-links/visit";

const SharedRunView = dynamic(() => loadPart(() => import("./shared-run-view")), { ssr: false });

interface SharedRunProps {
  token: string;
  shared: Extract<SharedPage, { type: "run" }>;
  /** The path of the page, for those who are not signed in. */
  signInTo: string | undefined;
}

export function SharedRun({ token, shared: { team, texts }, signInTo }: SharedRunProps) {
  const { value, problem, retry } = useLoaded({ key: token }, async (signal) => {
    const { loadSharedRun } = await loadPart(() => import("./load-shared-run"));
    return loadSharedRun(token, signal);
  });
  const isWhole = texts.inputs && texts.outputs && texts.tools;
  return (
    <NuqsAdapter>
      <SharedBar team={team} signInTo={signInTo}>
        {!isWhole && <span className="text-text-muted text-xs">Some texts are not shared.</span>}
      </SharedBar>
      {problem !== null ? (
        <LoadProblem onRetry={retry}>The run could not be loaded: {problem}</LoadProblem>
      ) : value === null ? (
        <p className="p-4 text-text-muted">Loading the run…</p>
      ) : (
        <SharedRunView run={value} hasFlow={texts.inputs} />
      )}
    </NuqsAdapter>
  );
}
