"use client";

import { useEffect } from "react";
import { fetchJson } from "@/app/_ui/fetch-json";
import { checkCondition } from "@/lib/core/condition/check";
import { evaluateCondition } from "@/lib/core/condition/evaluate";
import { parseCondition } from "@/lib/core/condition/parse";
import { isTrue } from "@/lib/core/condition/values";
import type { Flow, Json } from "@/lib/core/flow/flow";
import { keyOfPath, type NodeKey } from "@/lib/core/flow/keys";
import { declaredNames } from "@/lib/core/flow/members";
import type { RunState } from "@/lib/core/trace/run-state";
import { useEditorState, useSession, useView } from "../session-context";
import { TextField } from "./fields";

interface ConditionFieldProps {
  label: string;
  text: string;
  onCommit(text: string): void;
  /** Whether `item` and `round` are known. */
  inLoop?: boolean;
}

/** An expression: what is wrong with it, or else what it comes to on the run that was shown last. */
export function ConditionField({ label, text, onCommit, inLoop = false }: ConditionFieldProps) {
  const flow = useEditorState((state) => state.flow);
  const [key = ""] = useEditorState((state) => state.selection);
  const run = useLastRun();
  const { expression, problems } = parseCondition(text);
  const found = expression
    ? checkCondition(expression, { outputs: declaredNames(flow), vars: flow.vars, loop: inLoop })
    : problems;
  const [problem] = found.filter(({ severity }) => severity === "error");
  const tried = expression && run && !problem ? evaluateCondition(expression, toScope(flow, run, key)) : null;
  return (
    <TextField
      label={label}
      value={text}
      onCommit={onCommit}
      problem={problem?.message}
      hint={tried ? toHint(tried) : 'e.g. contains(input, "refund") or outputs["critic"] == "ok". Run once to try it.'}
      mono
    />
  );
}

/** The run that was shown last, or else the flow's newest, read when a condition is first looked at. */
function useLastRun(): RunState | null {
  const { seed, view } = useSession();
  const shown = useView(({ lastRun }) => lastRun);
  useEffect(() => {
    if (shown || seed.lastRun === null) return;
    fetchJson<{ state: RunState }>(`/api/v1/runs/${seed.lastRun}`).then(
      ({ state }) => view.setState(({ lastRun }) => ({ lastRun: lastRun ?? state })),
      // Without a run there is nothing to try the condition on; the hint says how to get one.
      () => undefined,
    );
  }, [shown, seed, view]);
  return shown;
}

function toHint(tried: ReturnType<typeof evaluateCondition>): string {
  if (!tried.ok) return `On the last run: ${tried.message}`;
  const value = JSON.stringify(tried.value) ?? "null";
  const short = value.length > 60 ? `${value.slice(0, 60)}…` : value;
  return typeof tried.value === "boolean"
    ? `On the last run: ${short}`
    : `On the last run: ${short} (counts as ${isTrue(tried.value)})`;
}

/** What the expression saw in that run: the node's own input, and what every step said last. */
function toScope(flow: Flow, run: RunState, key: NodeKey) {
  const own = run.nodes.findLast(({ path }) => keyOfPath(path) === key);
  const outputs = new Map<string, Json>();
  for (const { status, name, output, metadata } of run.nodes)
    if (status === "SUCCESS") outputs.set(name, metadata.value ?? output.text);
  return { input: (own?.input ?? run.input).text, outputs, vars: flow.vars, round: 1 };
}
