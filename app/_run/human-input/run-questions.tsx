import { Check, Hourglass, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { showHidden } from "@/lib/core/flow/hidden-characters";
import type { OpenQuestion, TraceView } from "@/lib/core/trace/model/trace-view";
import { Button } from "../../_ui/controls/button";
import { prettyJson } from "../../_ui/text/pretty-json";
import { showError } from "../../_ui/toast/show-error";
import { answerQuestion, type RunAnswer } from "../start-run";
import { ArgumentsForm } from "./arguments-form";
import { useArguments } from "./use-arguments";

interface WaitingStep {
  id: number;
  name: string;
  question: OpenQuestion;
}

interface RunQuestionsProps {
  runId: string;
  trace: TraceView;
  heading: string;
  /** Limits the height. */
  className: string;
}

const waitingIn = (trace: TraceView): WaitingStep[] =>
  [...trace.questions].map(([span, question]) => ({ id: span + 1, name: trace.nameOf(span), question }));

const keyOf = ({ id, question }: WaitingStep): string => `${id}-${question.number}`;

export function RunQuestions({ runId, trace, heading, className }: RunQuestionsProps) {
  const waiting = waitingIn(trace);
  const keys = waiting.map(keyOf).join(" ");
  const section = useRef<HTMLElement>(null);
  const answered = useRef<string | null>(null);
  useEffect(() => {
    if (answered.current === null || keys.split(" ").includes(answered.current)) return;
    answered.current = null;
    // The user may have moved the focus elsewhere meanwhile.
    if (document.activeElement !== document.body) return;
    (section.current?.querySelector("article") ?? document.getElementById(heading))?.focus();
  }, [keys, heading]);
  useEffect(() => {
    if (keys !== "") section.current?.querySelector("article")?.scrollIntoView({ block: "nearest" });
  }, [keys]);
  if (waiting.length === 0) return null;
  return (
    <section
      ref={section}
      aria-label="Questions"
      className={`grid shrink-0 gap-2 overflow-y-auto border-line border-b bg-warning-soft p-3 ${className}`}
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

const inputStyle = "w-full rounded-md border border-line-input bg-surface px-2 py-1 text-[13px] leading-5";

interface QuestionFormProps {
  runId: string;
  node: WaitingStep;
  onAnswered(): void;
}

function QuestionForm({ runId, node, onAnswered }: QuestionFormProps) {
  const { type, choices, number, message, text: proposedText = "", fixed: isFixed = false } = node.question;
  const [text, setText] = useState(proposedText);
  const toolArguments = useArguments(node.question);
  const [reason, setReason] = useState("");
  const [pending, setPending] = useState(false);
  const send = (answer: Omit<RunAnswer, "question">): void => {
    setPending(true);
    onAnswered();
    answerQuestion(runId, node.id, { question: number, ...answer }).catch((error: unknown) => {
      if (!toolArguments.showRefusal(error)) showError(error);
      setPending(false);
    });
  };
  const approveWith = (answerText: string | null): void => {
    if (answerText !== null) send({ decision: "approved", ...(answerText !== proposedText && { text: answerText }) });
  };
  const reject = (): void => send({ decision: "rejected", ...(reason.trim() !== "" && { reason: reason.trim() }) });
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
        <Choices choices={choices} pending={pending} onChoose={approveWith} />
      ) : isFixed ? (
        <FixedText type={type} text={proposedText} />
      ) : type === "tool" ? (
        <ArgumentsForm {...toolArguments.form} />
      ) : (
        <AnswerField label={textLabels[type]} text={text} onChange={setText} />
      )}
      <HiddenCharactersNote text={type === "tool" && !isFixed ? toolArguments.shownText : text} />
      <div className="sticky -bottom-3 -mb-3 flex flex-wrap items-end gap-2 border-line border-t bg-surface pt-2 pb-3">
        <ReasonField reason={reason} onChange={setReason} />
        <Button size="small" variant="danger" pending={pending} onClick={reject}>
          <X size={14} aria-hidden /> {type === "question" ? "Decline" : "Reject"}
        </Button>
        {!choices && (
          <Button
            size="small"
            variant="primary"
            pending={pending}
            onClick={() => approveWith(type === "tool" && !isFixed ? toolArguments.read() : text)}
          >
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
