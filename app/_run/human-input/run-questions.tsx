import { useEffect, useRef, useState } from "react";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { QuestionForm } from "./question-form";
import type { WaitingStep } from "./question-heading";

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

const isSame =
  (node: WaitingStep) =>
  (other: WaitingStep): boolean =>
    keyOf(other) === keyOf(node);

/** The steps that wait for a person, and those that no longer do, while something is written here that was not sent. */
export function RunQuestions({ runId, trace, heading, className }: RunQuestionsProps) {
  const waiting = waitingIn(trace);
  const [written, setWritten] = useState<readonly WaitingStep[]>([]);
  const over = written.filter((node) => !waiting.some(isSame(node)));
  const keys = [...waiting, ...over].map(keyOf).join(" ");
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
  if (keys === "") return null;
  return (
    <section
      ref={section}
      aria-label="Questions"
      className={`grid shrink-0 gap-2 overflow-y-auto border-line border-b bg-warning-soft p-3 ${className}`}
    >
      {[...waiting, ...over].map((node) => (
        <QuestionForm
          key={keyOf(node)}
          runId={runId}
          node={node}
          isOver={over.includes(node)}
          onWritten={(isWritten) => {
            if (isWritten !== written.some(isSame(node)))
              setWritten((before) =>
                isWritten ? [...before, node] : before.filter((other) => keyOf(other) !== keyOf(node)),
              );
          }}
          onAnswered={() => {
            answered.current = keyOf(node);
          }}
        />
      ))}
    </section>
  );
}
