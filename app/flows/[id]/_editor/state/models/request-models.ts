import * as z from "zod/mini";
import { fetchJson } from "@/app/_ui/loading/fetch-json";
import { type ModelOffer, modelOfferSchema } from "@/lib/core/flow/model-support";

const answerSchema = z.object({ models: z.array(modelOfferSchema) });

/** The models that match a text, the best matches first. Throws RequestError. */
export async function requestModels(query: string): Promise<readonly ModelOffer[]> {
  return (await fetchJson(`/api/v1/models?query=${encodeURIComponent(query)}`, answerSchema)).models;
}
