import { useEffect, useState } from "react";
import * as z from "zod/mini";
import { fetchJson, messageOf } from "@/app/_ui/loading/fetch-json";
import type { JsonSchema } from "@/lib/core/flow/flow";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { RunState } from "@/lib/core/trace/model/run-state";
import { findLastAnswer, useLastRun } from "../fields/use-last-run";

const checkSchema = z.object({ ok: z.boolean(), message: z.optional(z.string()) });

interface AnswerCheck {
  of: JsonSchema;
  ok: boolean;
  message: string;
}

export function TryAnswer({ schema, nodeKey }: { schema: JsonSchema; nodeKey: NodeKey }) {
  const lastRun = useLastRun();
  const run = lastRun?.state;
  const [tried, setTried] = useState<AnswerCheck | null>(null);
  useEffect(() => {
    if (!run) return;
    let isOver = false;
    void tryOn(schema, run, nodeKey).then((result) => !isOver && setTried({ of: schema, ...result }));
    return () => {
      isOver = true;
    };
  }, [schema, run, nodeKey]);
  if (!lastRun) return <p className="text-text-faint text-xs">Run the flow once to check an answer.</p>;
  const currentResult = tried?.of === schema ? tried : null;
  return (
    <p
      role="status"
      className={`whitespace-pre-wrap text-xs ${currentResult?.ok === false ? "text-danger" : "text-success"}`}
    >
      {currentResult && `On the last run: ${currentResult.message}`}
    </p>
  );
}

/** On the server, because compiling a schema is not allowed by the content security policy of pages. */
async function tryOn(schema: JsonSchema, run: RunState, nodeKey: NodeKey): Promise<Omit<AnswerCheck, "of">> {
  const text = findLastAnswer(run, nodeKey);
  if (text === null) return { ok: true, message: "this agent has no answer to check." };
  try {
    const check = await fetchJson("/api/v1/check-answer", checkSchema, { json: { schema, text } });
    return {
      ok: check.ok,
      message: check.ok ? "the answer fits." : toInner(check.message ?? "The answer does not fit."),
    };
  } catch (error) {
    return { ok: false, message: toInner(messageOf(error)) };
  }
}

const toInner = (sentence: string): string => sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
