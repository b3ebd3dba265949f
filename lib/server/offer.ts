import "server-only";
import { findPatternMistake } from "@/lib/core/condition/pattern";
import type { Offer } from "@/lib/core/flow/check";
import { listProviders } from "./models/providers";
import { toolSpecs } from "./tools/registry";

/** What there is to run with on this machine. */
export const currentOffer = (): Required<Offer> => ({
  providers: listProviders(),
  tools: toolSpecs.map(({ name }) => name),
  checkPattern: findPatternMistake,
});
