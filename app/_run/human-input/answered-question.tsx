import { CheckCheck } from "lucide-react";
import { useEffect, useRef } from "react";
import type { HumanInputAnswer } from "@/lib/core/run/events/events";
import type { RunNode } from "@/lib/core/trace/model/run-state";
import { Button } from "../../_ui/controls/button";
import { CopyButton } from "../../_ui/controls/copy-button";
import { useLoaded } from "../../_ui/loading/use-loaded";
import { createServerRunSource } from "../steps/run-source";
import { QuestionHeading, type WaitingStep } from "./question-heading";

interface AnsweredQuestionProps {
  runId: string;
  node: WaitingStep;
  /** What was written here and not sent. */
  written: readonly { label: string; text: string }[];
  onClose(): void;
}

/** A question that no longer waits, while something is written here: who answered it, and the text. */
export function AnsweredQuestion({ runId, node, written, onClose }: AnsweredQuestionProps) {
  const { value, problem } = useLoaded({ key: `${runId} ${node.id} ${node.question.number}` }, (signal) =>
    createServerRunSource(runId).node(node.id, signal),
  );
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    // The field in which the user wrote is gone.
    if (document.activeElement === document.body) card.current?.focus();
  }, []);
  return (
    <article
      ref={card}
      aria-label={`What you wrote for ${node.name}`}
      tabIndex={-1}
      className="grid gap-2 rounded-lg border border-line-strong bg-surface p-3"
    >
      <QuestionHeading node={node} icon={CheckCheck} />
      <p role="status">{(value || problem !== null) && describeEnd(node, value)} What you wrote was not sent.</p>
      {written.map(({ label, text }) => (
        <section key={label} aria-label={label}>
          <p className="flex items-center gap-1 text-text-muted text-xs">
            {label} <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
          </p>
          <pre
            // What scrolls must be reachable without a mouse.
            tabIndex={0}
            className="max-h-40 overflow-auto whitespace-pre-wrap rounded-md border border-line bg-surface-sunken px-2 py-1 font-sans text-[13px] leading-5 [overflow-wrap:anywhere]"
          >
            {text}
          </pre>
        </section>
      ))}
      <Button size="small" className="justify-self-end" onClick={onClose}>
        Dismiss
      </Button>
    </article>
  );
}

const verbs: Record<"question" | "other", Record<HumanInputAnswer["decision"], string>> = {
  question: { approved: "answered", rejected: "declined" },
  other: { approved: "approved", rejected: "rejected" },
};

/** The step has the last question only: an earlier one was answered before it was asked again. */
export function describeEnd({ question }: WaitingStep, step: Pick<RunNode, "question" | "answer"> | null): string {
  if (!step?.answer || step.question?.number !== question.number) return "This no longer waits for an answer.";
  const { by: user, decision } = step.answer;
  return `${user} ${verbs[question.type === "question" ? "question" : "other"][decision]} this.`;
}
