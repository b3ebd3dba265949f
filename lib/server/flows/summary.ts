import "server-only";
import { createHash } from "node:crypto";
import { printFlow } from "@/lib/core/dsl/print";
import { limits } from "@/lib/core/flow/flow";
import { errorsOf, type Problem } from "@/lib/core/flow/problem";
import { readSource } from "@/lib/core/source/read-source";
import { AppError } from "../app-error";
import { currentOffer } from "../offer";

/** What a save comes to: the new revision, and what is wrong with its text. */
export interface SavedFlow {
  revision: string;
  problems: readonly Problem[];
}

/** What a list shows of a flow, read from its text at every save, and its problems. Throws AppError `too_large`. */
export function readOutline(source: string) {
  if (source.length > limits.sourceLength)
    throw new AppError(
      "too_large",
      `A flow has at most ${limits.sourceLength} characters; this one has ${source.length}.`,
    );
  const { flow, problems } = readSource(source, currentOffer());
  const text = flow.swarm.flow ? printFlow(flow.swarm.flow) : flow.swarm.edges ? "draft" : "";
  const errors = errorsOf(problems).length;
  return {
    outline: { name: flow.name.slice(0, 200), outline: text.slice(0, 400), agents: flow.agents.size, errors },
    problems,
  };
}

export const hashOf = (source: string, layout: string): string =>
  createHash("sha256").update(source).update("\0").update(layout).digest("hex");
