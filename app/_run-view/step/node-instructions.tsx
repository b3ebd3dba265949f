import dynamic from "next/dynamic";
import type { RunNode } from "@/lib/core/trace/model/run-state";
import type { RunSource } from "../../_run/steps/run-source";
import { LoadProblem } from "../../_ui/controls/load-problem";
import { loadPart } from "../../_ui/loading/load-part";
import { useLoaded } from "../../_ui/loading/use-loaded";
import { FullText } from "../text/full-text";
import { TextLines } from "../text/text-lines";
import { readMessages } from "./node-messages";

const InstructionsChange = dynamic(() => loadPart(() => import("./instructions-change")), {
  ssr: false,
  loading: () => <TextLines />,
});

interface NodeInstructionsProps {
  source: RunSource;
  node: RunNode;
  previousCall: number;
}

export function NodeInstructions({ source, node, previousCall }: NodeInstructionsProps) {
  const {
    value: step,
    problem,
    retry,
  } = useLoaded({ key: String(previousCall) }, (signal) => source.node(previousCall, signal));
  if (problem !== null)
    return <LoadProblem onRetry={retry}>The previous call could not be loaded: {problem}</LoadProblem>;
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
