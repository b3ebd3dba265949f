import { Check, Hourglass, X } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { showHidden } from "@/lib/core/flow/hidden-characters";
import type { OpenQuestion } from "@/lib/core/trace/model/trace-view";
import { Button } from "../../_ui/controls/button";
import { useKeptDraft } from "../../_ui/draft/use-kept-draft";
import { prettyJson } from "../../_ui/text/pretty-json";
import { showError } from "../../_ui/toast/show-error";
import { answerQuestion, type RunAnswer } from "../start-run";
import { AnsweredQuestion } from "./answered-question";
import { ArgumentsForm } from "./arguments-form";
import { QuestionHeading, type WaitingStep } from "./question-heading";
import { useArguments } from "./use-arguments";

const inputStyle = "w-full rounded-md border border-line-input bg-surface px-2 py-1 text-[13px] leading-5";

interface QuestionFormProps {
  runId: string;
  node: WaitingStep;
  /** It waits no longer: it was answered elsewhere, or the run ended. */
  isOver: boolean;
  /** Whether there is something written here that was not sent. */
  onWritten(isWritten: boolean): void;
  /** It was answered here, or is closed. */
  onAnswered(): void;
}

type AnswerFormProps = Pick<QuestionFormProps, "runId" | "node" | "onAnswered">;

/** What is written as an answer, and its buttons. */
function useAnswerForm({ runId, node, onAnswered }: AnswerFormProps) {
  const { type, number, text: proposedText = "", fixed: isFixed = false } = node.question;
  const key = `answer.${runId}.${node.id}.${number}`;
  const draft = useKeptDraft(key, { text: proposedText, reason: "" });
  const toolArguments = useArguments(node.question, `${key}.arguments`);
  const [state, setState] = useState<"open" | "sending" | "sent">("open");
  const { text, reason } = draft.texts;
  const hasArguments = type === "tool" && !isFixed;
  const drop = (): void => {
    draft.drop();
    toolArguments.drop();
    setState("sent");
  };
  const send = (answer: Omit<RunAnswer, "question">): void => {
    setState("sending");
    onAnswered();
    answerQuestion(runId, node.id, { question: number, ...answer }).then(drop, (error: unknown) => {
      if (!toolArguments.showRefusal(error)) showError(error);
      setState("open");
    });
  };
  const approveWith = (answerText: string | null): void => {
    if (answerText !== null) send({ decision: "approved", ...(answerText !== proposedText && { text: answerText }) });
  };
  return {
    draft,
    toolArguments,
    shownText: hasArguments ? toolArguments.shownText : text,
    isPending: state !== "open",
    /** What was written here and not sent. */
    written:
      state === "sent" ? [] : toWritten({ text: text === proposedText ? toolArguments.editedText : text, reason }),
    close(): void {
      onAnswered();
      drop();
    },
    approveWith,
    approve: () => approveWith(hasArguments ? toolArguments.read() : text),
    reject: () => send({ decision: "rejected", ...(reason.trim() !== "" && { reason: reason.trim() }) }),
  };
}

const toWritten = ({ text, reason }: { text: string; reason: string }) =>
  [
    { label: "Your text", text },
    { label: "Your reason", text: reason },
  ].filter((part) => part.text !== "");

export function QuestionForm({ isOver, onWritten, ...answerProps }: QuestionFormProps) {
  const { node, runId } = answerProps;
  const { type, choices, text: proposedText = "", fixed: isFixed = false } = node.question;
  const form = useAnswerForm(answerProps);
  const { draft, toolArguments, isPending, written } = form;
  const isWritten = written.length > 0;
  const report = useEffectEvent(onWritten);
  useEffect(() => report(isWritten), [isWritten]);
  if (isOver)
    return isPending ? null : <AnsweredQuestion runId={runId} node={node} written={written} onClose={form.close} />;
  return (
    <article
      aria-label={`Question of ${node.name}`}
      tabIndex={-1}
      className="grid gap-2 rounded-lg border border-line-strong bg-surface p-3"
    >
      <QuestionHeading node={node} icon={Hourglass} />
      {choices ? (
        <Choices choices={choices} pending={isPending} onChoose={form.approveWith} />
      ) : isFixed ? (
        <FixedText type={type} text={proposedText} />
      ) : type === "tool" ? (
        <ArgumentsForm {...toolArguments.form} />
      ) : (
        <AnswerField label={textLabels[type]} text={draft.texts.text} onChange={(text) => draft.change({ text })} />
      )}
      <HiddenCharactersNote text={form.shownText} />
      <div className="sticky -bottom-3 -mb-3 flex flex-wrap items-end gap-2 border-line border-t bg-surface pt-2 pb-3">
        <ReasonField reason={draft.texts.reason} onChange={(reason) => draft.change({ reason })} />
        <Button size="small" variant="danger" pending={isPending} onClick={form.reject}>
          <X size={14} aria-hidden /> {type === "question" ? "Decline" : "Reject"}
        </Button>
        {!choices && (
          <Button size="small" variant="primary" pending={isPending} onClick={form.approve}>
            <Check size={14} aria-hidden /> {type === "question" ? "Answer" : "Approve"}
          </Button>
        )}
      </div>
    </article>
  );
}

interface ChoicesProps {
  choices: readonly string[];
  pending: boolean;
  onChoose(choice: string): void;
}

function Choices({ choices, pending, onChoose }: ChoicesProps) {
  return (
    <div className="flex flex-wrap gap-2">
      {choices.map((choice) => (
        <Button key={choice} size="small" pending={pending} onClick={() => onChoose(choice)}>
          {choice}
        </Button>
      ))}
    </div>
  );
}

const textLabels = {
  approval: "Text; edit it before you approve",
  question: "Your answer",
} as const;

/** What can only be approved as it is, or rejected. */
function FixedText({ type, text }: { type: OpenQuestion["type"]; text: string }) {
  const label = type === "tool" ? "Arguments" : "Text";
  return (
    <section aria-label={label} className="grid gap-1 text-text-muted text-xs">
      <p>{label}; later steps are reused with it, so that it cannot be edited here</p>
      <pre className="max-h-60 overflow-auto whitespace-pre-wrap rounded-md border border-line bg-surface-sunken px-2 py-1 font-sans text-[13px] text-text leading-5 [overflow-wrap:anywhere]">
        {(type === "tool" ? prettyJson(text) : null) ?? text}
      </pre>
    </section>
  );
}

function AnswerField({ label, text, onChange }: { label: string; text: string; onChange(text: string): void }) {
  return (
    <label className="grid gap-1 text-text-muted text-xs">
      {label}
      <textarea
        value={text}
        onChange={(event) => onChange(event.target.value)}
        rows={3}
        className={`${inputStyle} field-sizing-content text-text`}
      />
    </label>
  );
}

function HiddenCharactersNote({ text }: { text: string }) {
  const visibleText = showHidden(text);
  if (visibleText === text) return null;
  return (
    <p role="note" className="whitespace-pre-wrap text-warning text-xs [overflow-wrap:anywhere]">
      It contains invisible characters; with their code points it reads:{" "}
      <span className="font-mono text-text">{visibleText}</span>
    </p>
  );
}

function ReasonField({ reason, onChange }: { reason: string; onChange(reason: string): void }) {
  return (
    <label className="grid min-w-28 flex-1 gap-1 text-text-muted text-xs">
      Reason for rejecting
      <input value={reason} onChange={(event) => onChange(event.target.value)} className={`${inputStyle} text-text`} />
    </label>
  );
}
