import "server-only";
import { createHash } from "node:crypto";
import { printFlow } from "@/lib/core/dsl/print";
import { emptyLayout, type Layout, layoutSchema } from "@/lib/core/flow/edit";
import { limits } from "@/lib/core/flow/flow";
import type { Problem } from "@/lib/core/flow/problem";
import { readSource } from "@/lib/core/source/read-source";
import { AppError } from "../app-error";
import { listProviders } from "../models/providers";
import { toolSpecs } from "../tools/registry";

/** What a list shows of a flow, read from its text at every save. */
export interface Outline {
  name: string;
  outline: string;
  agents: number;
  errors: number;
}

/** What there is to run with on this server. */
export const currentOffer = () => ({ providers: listProviders(), tools: toolSpecs.map(({ name }) => name) });

export function readOutline(source: string): { outline: Outline; problems: readonly Problem[] } {
  requireSize(source);
  const { flow, problems } = readSource(source, currentOffer());
  const text = flow.swarm.flow ? printFlow(flow.swarm.flow) : flow.swarm.edges ? "draft" : "";
  const errors = problems.filter((problem) => problem.severity === "error").length;
  return {
    outline: { name: flow.name.slice(0, 200), outline: text.slice(0, 400), agents: flow.agents.size, errors },
    problems,
  };
}

export function requireSize(source: string): void {
  if (source.length > limits.sourceLength)
    throw new AppError(
      "too_large",
      `A flow has at most ${limits.sourceLength} characters; this one has ${source.length}.`,
    );
}

export const hashOf = (source: string, layout: string): string =>
  createHash("sha256").update(source).update("\0").update(layout).digest("hex");

/** A stored layout; one that cannot be read counts as none, for positions are found anew. */
export function readLayout(text: string): Layout {
  const result = layoutSchema.safeParse(JSON.parse(text));
  return result.success ? result.data : emptyLayout;
}
