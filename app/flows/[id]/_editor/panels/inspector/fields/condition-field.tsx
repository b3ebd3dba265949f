import { useEffect, useState } from "react";
import { Button } from "@/app/_ui/controls/button";
import { loadPart } from "@/app/_ui/loading/load-part";
import { checkCondition } from "@/lib/core/condition/check";
import type { ConditionResult, evaluateCondition } from "@/lib/core/condition/evaluate";
import { parseCondition } from "@/lib/core/condition/parse";
import { isTrue } from "@/lib/core/condition/values";
import { declaredNames } from "@/lib/core/kinds/members";
import { useEditorState, useSession } from "../../../state/session-context";
import { TextField } from "./fields";
import { toRunScope, useLastRun } from "./use-last-run";

interface ConditionFieldProps {
  label: string;
  text: string;
  onCommit(text: string): void;
  /** Whether `item` and `round` exist. */
  inLoop?: boolean;
}

export function ConditionField({ label, text, onCommit, inLoop = false }: ConditionFieldProps) {
  const { checkPattern, actions, access } = useSession();
  const flow = useEditorState((state) => state.flow);
  const [key = ""] = useEditorState((state) => state.selection);
  const run = useLastRun()?.state ?? null;
  const evaluate = useEvaluation(run !== null);
  const { expression, problems } = parseCondition(text);
  const conditionProblems = expression
    ? checkCondition(expression, { outputs: new Set(declaredNames(flow)), vars: flow.vars, loop: inLoop, checkPattern })
    : problems;
  const [problem] = conditionProblems.filter(({ severity }) => severity === "error");
  const tried = expression && run && !problem && evaluate ? evaluate(expression, toRunScope(flow, run, key)) : null;
  return (
    <div className="grid gap-1.5">
      <TextField
        text={{
          label,
          problem: problem?.message,
          hint: tried
            ? toHint(tried)
            : 'e.g. contains(input, "refund") or outputs["critic"] == "ok". Run the flow once to evaluate it.',
        }}
        binding={{ value: text, onCommit }}
        mono
      />
      {access.mayEdit &&
        problem?.repairs?.map(({ title, edit }) => (
          <Button key={title} size="small" className="justify-self-start" onClick={() => actions.edit(edit)}>
            {title}
          </Button>
        ))}
    </div>
  );
}

function useEvaluation(enabled: boolean): typeof evaluateCondition | null {
  const [evaluation, setEvaluation] = useState<{ evaluateCondition: typeof evaluateCondition } | null>(null);
  useEffect(() => {
    if (enabled) void loadPart(() => import("@/lib/core/condition/evaluate")).then(setEvaluation);
  }, [enabled]);
  return evaluation?.evaluateCondition ?? null;
}

function toHint(tried: ConditionResult): string {
  if (!tried.ok) return `On the last run: ${tried.message}`;
  const value = JSON.stringify(tried.value) ?? "null";
  const short = value.length > 60 ? `${value.slice(0, 60)}…` : value;
  return typeof tried.value === "boolean"
    ? `On the last run: ${short}`
    : `On the last run: ${short} (counts as ${isTrue(tried.value)})`;
}
