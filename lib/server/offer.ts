import "server-only";
import type { Offer } from "@/lib/core/check/offer";
import { findPatternMistake } from "@/lib/core/condition/pattern";
import { getEnv } from "./env";
import { isPricedIn, listProviders } from "./models/model-port";
import { toolSpecs } from "./tools/registry";

/** What there is to run with on this machine. */
export const currentOffer = (): Offer => ({
  providers: listProviders(),
  tools: toolSpecs.map(({ name }) => name),
  checkPattern: findPatternMistake,
  isPriced: (model) => isPricedIn(getEnv(), model),
  costCeiling: getEnv().SWARMLOOM_MAX_COST,
});
