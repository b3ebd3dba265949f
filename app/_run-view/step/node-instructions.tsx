"use client";
import dynamic from "next/dynamic";
import type { StepDetail } from "@/lib/core/trace/model/run-state";
import type { RunSource } from "../../_run/steps/run-source";
import { useStep } from "../../_run/steps/use-step";
import { Button } from "../../_ui/controls/button";
import { loadPart } from "../../_ui/loading/load-part";
import { FullText } from "../text/full-text";
import { TextLines } from "../text/text-lines";
import { readMessages } from "./node-messages";

const InstructionsChange = dynamic(() => loadPart(() => import("./instructions-change")), {
  ssr: false,
  loading: () => <TextLines />,
});

interface NodeInstructionsProps {
  source: RunSource;
  node: StepDetail;
  previousCall: number;
}

export function NodeInstructions({ source, node, previousCall }: NodeInstructionsProps) {
  const { step, problem, retry } = useStep(source, { id: previousCall, status: "SUCCESS", version: 0 });
  if (problem !== null)
    return (
      <div className="flex flex-col items-start gap-2 p-4">
        <p role="alert" className="text-danger">
          The previous call could not be loaded: {problem}
        </p>
        <Button size="small" onClick={retry}>
          Try again
        </Button>
      </div>
    );
  if (!step) return <TextLines />;
  const toPlace = (id: number) => ({ source, id, field: "input" }) as const;
  return (
    <FullText textRef={toPlace(step.id)} payload={step.input} title="The conversation of the previous call">
      {(before) => (
        <FullText textRef={toPlace(node.id)} payload={node.input} title="The conversation">
          {(now) => <InstructionsChange older={instructionsIn(before)} newer={instructionsIn(now)} />}
        </FullText>
      )}
    </FullText>
  );
}

const instructionsIn = (conversation: string): string =>
  (readMessages(conversation) ?? [])
    .filter(({ role }) => role === "system")
    .map(({ content }) => content)
    .join("\n\n");
