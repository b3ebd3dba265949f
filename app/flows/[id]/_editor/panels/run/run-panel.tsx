import { useCallback, useEffect, useState } from "react";
import { RunQuestions } from "@/app/_run/human-input/run-questions";
import { RunWarnings } from "@/app/_run/run-warnings";
import { createServerRunSource } from "@/app/_run/steps/run-source";
import { LoadProblem } from "@/app/_ui/controls/load-problem";
import { loadMarkdown } from "@/app/_ui/text/lazy-markdown";
import { keyOfPath } from "@/lib/core/flow/node-key";
import type { Arrangement } from "@/lib/core/layout/arrangement";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { TraceView } from "@/lib/core/trace/model/trace-view";
import { type AgentStep, findFailingAgentStep, listAgentSteps } from "@/lib/core/trace/timeline/agent-steps";
import { useEditorState, useSession, useShownRun, useView } from "../../state/session-context";
import { isActive } from "../../state/shown-run";
import { FailedRun } from "./failed-run";
import { RunHead } from "./run-head";
import { type IdleAgent, type RunChoice, RunSteps } from "./run-steps";
import { figuresOf, runPanelId, useNow } from "./run-summary";
import { Note, RunAnswer, StepDetail } from "./step-detail";

const emptyTrace = new TraceView();

export default function RunPanel({ runId }: { runId: string }) {
  const session = useSession();
  const shown = useShownRun((run) => (run?.id === runId ? run : null));
  const stored = useView((view) => view.figures);
  const now = useNow(isActive(stored?.status));
  const [source] = useState(() => createServerRunSource(runId));
  usePanelOpening();
  const trace = shown?.trace ?? emptyTrace;
  const steps = listAgentSteps(trace);
  const [choice, choose] = useChoice(trace, steps);
  if (!stored) return null;
  const figures = shown?.trace ? figuresOf(runId, shown.trace, now) : stored;
  const { status } = figures;
  const { arrangement } = session.editor.store.getState();
  const idle = status === "SUCCESS" ? [] : listIdleAgents(arrangement, steps);
  const node = choice.type === "step" ? choice.span + 1 : null;
  return (
    <section id={runPanelId} aria-label="Run" className="@container flex h-full min-h-0 flex-col bg-surface">
      <RunHead
        figures={figures}
        warnings={trace.warningCount}
        isRetrying={shown?.connection === "retrying"}
        node={node}
      />
      {shown && shown.problem !== null && (
        <LoadProblem onRetry={shown.retry}>The run could not be loaded: {shown.problem}</LoadProblem>
      )}
      <FailedRun figures={figures} trace={trace} />
      <RunWarnings trace={trace} link={{ runId }} />
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,47fr)_minmax(0,53fr)] @max-xl:grid-cols-[minmax(0,9fr)_minmax(0,11fr)] @max-md:has-[[aria-label=Questions]]:grid-cols-1 @max-md:has-[[aria-label=Questions]]:*:first:hidden">
        <RunSteps trace={trace} rows={{ steps, idle }} status={status} now={now} choice={choice} onChoose={choose} />
        <div className="flex min-h-0 flex-col overflow-y-auto">
          {session.access.mayRun && (
            <RunQuestions runId={runId} trace={trace} heading="run-heading" className="max-h-full" />
          )}
          <section aria-label={labelOf(choice, trace)} tabIndex={0} className="flex-1 p-4 outline-offset-[-2px]">
            {choice.type === "answer" && !shown?.trace && <Note>Loading the run…</Note>}
            {choice.type === "answer" && shown?.trace && (
              <RunAnswer source={source} trace={trace} steps={steps} status={status} />
            )}
            {choice.type === "step" && <StepDetail source={source} trace={trace} step={choice.span} now={now} />}
            {choice.type === "node" && (
              <Note>{isTerminal(status) ? "The run ended before it." : "It has not started yet."}</Note>
            )}
          </section>
        </div>
      </div>
    </section>
  );
}

/** The canvas has another size while the panel is open. */
function usePanelOpening(): void {
  const { camera } = useSession();
  useEffect(() => {
    camera.setReduced(true);
    camera.open();
    return () => {
      camera.setReduced(false);
      camera.open();
    };
  }, [camera]);
  useEffect(() => {
    void loadMarkdown();
  }, []);
}

function labelOf(choice: RunChoice, trace: TraceView): string {
  if (choice.type === "step") return `Answer of ${trace.nameOf(choice.span)}`;
  return choice.type === "answer" ? "Answer of the run" : "Not started";
}

function listIdleAgents({ nodes }: Arrangement, steps: readonly AgentStep[]): IdleAgent[] {
  const started = new Set(steps.map(({ key }) => key));
  return nodes
    .filter(({ type, placed, key }) => type === "agent" && placed && !started.has(key))
    .map(({ key, name, agentNumber: number }) => ({ key, name, number }));
}

/**
 * What is displayed: what was chosen here, or the agent that was selected on the canvas since; at first the step at
 * which the run failed, else the answer.
 */
function useChoice(
  trace: TraceView,
  steps: readonly AgentStep[],
): [choice: RunChoice, choose: (choice: RunChoice) => void] {
  const { editor, shownRun } = useSession();
  const selection = useEditorState(({ selection: keys }) => keys);
  const [state, setState] = useState<{ choice: RunChoice | null; selection: readonly string[] }>({
    choice: null,
    selection,
  });
  const latestOf = (key: string | undefined) => steps.findLast((step) => step.key === key);
  if (state.selection !== selection) {
    const step = selection.length === 1 ? latestOf(selection[0]) : undefined;
    setState({ choice: step ? { type: "step", span: step.span } : state.choice, selection });
  }
  const choose = useCallback(
    (choice: RunChoice): void => {
      const newestTrace = shownRun.getState()?.trace ?? emptyTrace;
      const key = keyOf(choice, newestTrace);
      const isOnCanvas = editor.store.getState().arrangement.nodes.some((node) => node.key === key);
      const keys = key === null || !isOnCanvas ? editor.store.getState().selection : [key];
      setState({ choice, selection: keys });
      if (isOnCanvas) editor.select(keys);
    },
    [editor, shownRun],
  );
  const choice = state.choice ?? toOpeningChoice(trace, steps);
  // An agent that was chosen before it started is displayed from its start.
  const started = choice.type === "node" ? latestOf(choice.key) : undefined;
  if (started) return [{ type: "step", span: started.span }, choose];
  return [choice.type === "step" && choice.span >= trace.length ? { type: "answer" } : choice, choose];
}

function toOpeningChoice(trace: TraceView, steps: readonly AgentStep[]): RunChoice {
  const failing = findFailingAgentStep(trace, steps);
  return failing ? { type: "step", span: failing.span } : { type: "answer" };
}

function keyOf(choice: RunChoice, trace: TraceView): string | null {
  if (choice.type === "node") return choice.key;
  return choice.type === "step" ? keyOfPath(trace.pathOf(choice.span)) : null;
}
