"use client";
import { Check, Hourglass, X } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { showHidden } from "@/lib/core/flow/hidden-characters";
import type { OpenQuestion } from "@/lib/core/trace/model/trace-view";
import { Button } from "../../_ui/controls/button";
import { showError } from "../../_ui/toast/show-error";
import { answerQuestion } from "../start-run";
import { ArgumentsForm } from "./arguments-form";
import { useArguments } from "./use-arguments";

/** A step that waits for a person. */
export interface WaitingStep {
  id: number;
  name: string;
  question: OpenQuestion;
}

interface RunQuestionsProps {
  runId: string;
  waiting: readonly WaitingStep[];
  /** The id of what gets the focus when the last question is answered. */
  heading: string;
}

const keyOf = ({ id, question }: WaitingStep): string => `${id}-${question.number}`;

/**
 * Everything that a run asks a person just now, with what is needed to answer. An answered question goes away; the focus
 * that was in it goes on to the next one.
 */
export function RunQuestions({ runId, waiting, heading }: RunQuestionsProps) {
  const keys = waiting.map(keyOf).join(" ");
  const section = useRef<HTMLElement>(null);
  const answered = useRef<string | null>(null);
  useEffect(() => {
    if (answered.current === null || keys.split(" ").includes(answered.current)) return;
    answered.current = null;
    // Somebody who has gone elsewhere meanwhile stays there.
    if (document.activeElement !== document.body) return;
    (section.current?.querySelector("article") ?? document.getElementById(heading))?.focus();
  }, [keys, heading]);
  if (waiting.length === 0) return null;
  return (
    <section
      ref={section}
      aria-label="Questions"
      className="grid max-h-[min(70%,28rem)] shrink-0 gap-2 overflow-y-auto border-line border-b bg-warning-soft p-3"
    >
      {waiting.map((node) => (
        <QuestionForm
          key={keyOf(node)}
          runId={runId}
          node={node}
          onAnswered={() => {
            answered.current = keyOf(node);
          }}
        />
      ))}
    </section>
  );
}

const inputStyle = "w-full rounded-md border border-line-strong bg-surface px-2 py-1 text-[13px] leading-5";

interface QuestionFormProps {
  runId: string;
  node: WaitingStep;
  onAnswered(): void;
}

function QuestionForm({ runId, node, onAnswered }: QuestionFormProps) {
  const { type, choices, number, message, text: proposedText = "" } = node.question;
  const [text, setText] = useState(proposedText);
  const toolArguments = useArguments(node.question);
  const [reason, setReason] = useState("");
  const [pending, setPending] = useState(false);
  const id = useId();
  const shownText = type === "tool" ? toolArguments.shownText : text;
  const visibleText = showHidden(shownText);
  const answer = (decision: "approved" | "rejected", chosen = text): void => {
    setPending(true);
    onAnswered();
    const said = decision === "approved" && chosen !== proposedText ? { text: chosen } : {};
    const why = decision === "rejected" && reason.trim() !== "" ? { reason: reason.trim() } : {};
    answerQuestion(runId, node.id, { question: number, decision, ...said, ...why }).catch((error: unknown) => {
      if (!toolArguments.showRefusal(error)) showError(error);
      setPending(false);
    });
  };
  const approve = (): void => {
    const approved = type === "tool" ? toolArguments.read() : text;
    if (approved !== null) answer("approved", approved);
  };
  return (
    <article
      aria-label={`Question of ${node.name}`}
      tabIndex={-1}
      className="grid gap-2 rounded-lg border border-line-strong bg-surface p-3"
    >
      <h3 className="flex items-center gap-2 font-semibold text-[13px]">
        <Hourglass size={14} aria-hidden className="text-warning" />
        <span className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">{showHidden(message)}</span>
        <span className="ml-auto shrink-0 font-mono font-normal text-text-muted text-xs">{node.name}</span>
      </h3>
      {choices ? (
        <div className="flex flex-wrap gap-2">
          {choices.map((choice) => (
            <Button key={choice} size="small" pending={pending} onClick={() => answer("approved", choice)}>
              {choice}
            </Button>
          ))}
        </div>
      ) : type === "tool" ? (
        <ArgumentsForm {...toolArguments.form} />
      ) : (
        <label className="grid gap-1 text-text-muted text-xs">
          {textLabels[type]}
          <textarea
            value={text}
            onChange={(event) => setText(event.target.value)}
            rows={3}
            className={`${inputStyle} max-h-60 field-sizing-content text-text`}
          />
        </label>
      )}
      {visibleText !== shownText && (
        <p role="note" className="whitespace-pre-wrap text-warning text-xs [overflow-wrap:anywhere]">
          It holds characters that cannot be seen; with their numbers it reads:{" "}
          <span className="font-mono text-text">{visibleText}</span>
        </p>
      )}
      <div className="sticky -bottom-3 -mb-3 flex flex-wrap items-end gap-2 border-line border-t bg-surface pt-2 pb-3">
        <label htmlFor={id} className="grid min-w-28 flex-1 gap-1 text-text-muted text-xs">
          Reason, if you say no
          <input
            id={id}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            className={`${inputStyle} text-text`}
          />
        </label>
        <Button size="small" variant="danger" pending={pending} onClick={() => answer("rejected")}>
          <X size={14} aria-hidden /> {type === "question" ? "Decline" : "Reject"}
        </Button>
        {!choices && (
          <Button size="small" variant="primary" pending={pending} onClick={approve}>
            <Check size={14} aria-hidden /> {type === "question" ? "Answer" : "Approve"}
          </Button>
        )}
      </div>
    </article>
  );
}

const textLabels = {
  approval: "The text; change it if it should go on in other words",
  question: "Your answer",
} as const;
