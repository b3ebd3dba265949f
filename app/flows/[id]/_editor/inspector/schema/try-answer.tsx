"use client";

import { useState } from "react";
import { Button } from "@/app/_ui/button";
import type { JsonSchema } from "@/lib/core/flow/flow";
import type { NodeKey } from "@/lib/core/flow/keys";
import type { RunState } from "@/lib/core/trace/run-state";
import { useSession } from "../../session-context";
import { findAnswer, useLastRun } from "../use-last-run";

/** Says whether the agent's newest answer fits the schema. The checker is heavy and is loaded when it is asked. */
export function TryAnswer({ schema, place }: { schema: JsonSchema; place: NodeKey }) {
  const { seed } = useSession();
  const run = useLastRun();
  const [tried, setTried] = useState<{ of: JsonSchema; message: string; ok: boolean } | null>(null);
  const found = tried?.of === schema ? tried : null;
  const tryIt = async (lastRun: RunState): Promise<void> =>
    setTried({ of: schema, ...(await tryOn(schema, lastRun, place)) });
  if (!run)
    return (
      <p className="text-text-faint text-xs">
        {seed.lastRun === null ? "Run once to try it on an answer." : "Reading the last run…"}
      </p>
    );
  return (
    <div className="grid gap-1">
      <Button size="small" onClick={() => void tryIt(run)}>
        Try on the last run
      </Button>
      <p role="status" className={`whitespace-pre-wrap text-xs ${found?.ok ? "text-success" : "text-danger"}`}>
        {found?.message}
      </p>
    </div>
  );
}

async function tryOn(schema: JsonSchema, run: RunState, place: NodeKey): Promise<{ ok: boolean; message: string }> {
  const answer = findAnswer(run, place);
  if (answer === null) return { ok: false, message: "The last run has no answer of this agent that can be tried." };
  const { compileAnswer } = await import("@/lib/core/run/answer");
  const compiled = compileAnswer(schema);
  if (!compiled.ok) return { ok: false, message: `The schema cannot be used: ${compiled.message}` };
  const read = compiled.read(answer);
  return read.ok ? { ok: true, message: "On the last run: the answer fits." } : { ok: false, message: read.message };
}
