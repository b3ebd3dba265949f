"use client";

import { useEffect, useState } from "react";
import { fetchJson, messageOf } from "@/app/_ui/fetch-json";
import type { JsonSchema } from "@/lib/core/flow/flow";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { RunState } from "@/lib/core/trace/run-state";
import { useSession } from "../../../state/session-context";
import { findAnswer, useLastRun } from "../fields/use-last-run";

interface Tried {
  of: JsonSchema;
  ok: boolean;
  message: string;
}

/** Whether the agent's newest answer fits the schema, as conditions say what they come to on the last run. */
export function TryAnswer({ schema, place }: { schema: JsonSchema; place: NodeKey }) {
  const { seed } = useSession();
  const run = useLastRun();
  const [tried, setTried] = useState<Tried | null>(null);
  useEffect(() => {
    if (!run) return;
    let isOver = false;
    void tryOn(schema, run, place).then((found) => !isOver && setTried({ of: schema, ...found }));
    return () => {
      isOver = true;
    };
  }, [schema, run, place]);
  if (!run && seed.lastRun === null) return <p className="text-text-faint text-xs">Run once to try it on an answer.</p>;
  const found = tried?.of === schema ? tried : null;
  return (
    <p role="status" className={`whitespace-pre-wrap text-xs ${found?.ok === false ? "text-danger" : "text-success"}`}>
      {found && `On the last run: ${found.message}`}
    </p>
  );
}

/** The engine's own check, on the server: it compiles the schema, which no page of ours may do. */
async function tryOn(schema: JsonSchema, run: RunState, place: NodeKey): Promise<Omit<Tried, "of">> {
  const text = findAnswer(run, place);
  if (text === null) return { ok: true, message: "no answer of this agent that can be tried." };
  try {
    const found = await fetchJson<{ ok: boolean; message?: string }>("/api/v1/check-answer", {
      json: { schema, text },
    });
    return {
      ok: found.ok,
      message: found.ok ? "the answer fits." : toInner(found.message ?? "The answer does not fit."),
    };
  } catch (error) {
    return { ok: false, message: toInner(messageOf(error)) };
  }
}

/** A sentence behind a colon. */
const toInner = (sentence: string): string => sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
