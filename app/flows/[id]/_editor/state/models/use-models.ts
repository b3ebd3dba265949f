import { useEffect, useState } from "react";
import { parseModel } from "@/lib/core/flow/model-name";
import type { ModelOffer } from "@/lib/core/flow/model-support";
import { useSession } from "../session-context";
import { toModelText } from "./describe-model";
import { requestModels } from "./request-models";

const pauseMs = 120;

/** By query; the lists do not change while the server runs. */
const answers = new Map<string, Promise<readonly ModelOffer[]>>();

function findModels(query: string): Promise<readonly ModelOffer[]> {
  const cachedAnswer = answers.get(query);
  if (cachedAnswer) return cachedAnswer;
  const request = requestModels(query);
  answers.set(query, request);
  request.catch(() => answers.delete(query));
  return request;
}

/** The result of the previous query stays until the next one arrives. */
export function useModels(query: string, isOpen: boolean): { models: readonly ModelOffer[]; state: "ok" | "failed" } {
  const { seed } = useSession();
  const [result, setResult] = useState<{ models: readonly ModelOffer[]; state: "ok" | "failed" }>({
    models: seed.models,
    state: "ok",
  });
  useEffect(() => {
    if (!isOpen) return;
    let isOver = false;
    const ask = (): void =>
      void findModels(query).then(
        (models) => !isOver && setResult({ models, state: "ok" }),
        () => !isOver && setResult({ models: [], state: "failed" }),
      );
    const timer = setTimeout(ask, query === "" ? 0 : pauseMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [query, isOpen]);
  return result;
}

export async function findModelOffer(model: string, usual: readonly ModelOffer[]): Promise<ModelOffer | null> {
  const modelText = toModelText(parseModel(model));
  const isIt = (offer: ModelOffer): boolean => toModelText(offer) === modelText;
  return usual.find(isIt) ?? (await findModels(modelText)).find(isIt) ?? null;
}

export function useModelOffer(model: string): ModelOffer | null {
  const { seed } = useSession();
  const [fetchedOffer, setFetchedOffer] = useState<ModelOffer | null>(null);
  const modelText = toModelText(parseModel(model));
  const usual = seed.models.find((offer) => toModelText(offer) === modelText);
  const isKnown = usual !== undefined || model === "";
  useEffect(() => {
    if (isKnown) return;
    let isOver = false;
    findModelOffer(model, seed.models).then(
      (offer) => !isOver && setFetchedOffer(offer),
      // Only the facts below the field are missing.
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [model, isKnown, seed.models]);
  return usual ?? (fetchedOffer && toModelText(fetchedOffer) === modelText ? fetchedOffer : null);
}
