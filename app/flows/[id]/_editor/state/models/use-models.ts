import { useLoaded } from "@/app/_ui/loading/use-loaded";
import type { ProviderOffer } from "@/lib/core/check/offer";
import { parseModel } from "@/lib/core/flow/model-name";
import { factsOf, type ModelOffer } from "@/lib/core/flow/model-support";
import type { Seed } from "../session";
import { useSession, useView } from "../session-context";
import { describeBriefly, toModelText } from "./describe-model";
import { requestModels } from "./request-models";

const pauseMs = 120;

/** Connected servers load and remove models meanwhile. */
const keptMs = 60_000;
const answers = new Map<string, { until: number; request: Promise<readonly ModelOffer[]> }>();

/** All that connected servers have reported to this page. */
const reported = new Map<string, ModelOffer>();

/** `connected`: an answer holds for these providers. */
function findModels(query: string, connected = ""): Promise<readonly ModelOffer[]> {
  const key = `${connected} ${query}`;
  const cachedAnswer = answers.get(key);
  if (cachedAnswer && Date.now() < cachedAnswer.until) return cachedAnswer.request;
  const request = requestModels(query);
  answers.set(key, { until: Date.now() + keptMs, request });
  request.then(
    (offers) => {
      for (const offer of offers) if (offer.server !== undefined) reported.set(toModelText(offer), offer);
    },
    () => answers.delete(key),
  );
  return request;
}

/** Of servers that are connected now. */
export const listReportedModels = (providers: readonly ProviderOffer[]): ModelOffer[] =>
  [...reported.values()].filter((offer) => providers.some(({ id, available }) => id === offer.provider && available));

interface FoundModels {
  models: readonly ModelOffer[];
  state: "ok" | "loading" | "failed";
}

/** The result of the previous query stays until the next one arrives. */
export function useModels(query: string, isOpen: boolean): FoundModels {
  const { seed } = useSession();
  const connected = useView(({ providers }) => providers.flatMap(({ id, available }) => (available ? id : [])).join());
  const key = isOpen ? `${connected} ${query}` : null;
  const { value, isCurrent, problem } = useLoaded({ key }, async (signal) => {
    await new Promise((resolve) => setTimeout(resolve, query === "" ? 0 : pauseMs));
    return signal.aborted ? [] : findModels(query, connected);
  });
  if (problem !== null) return { models: [], state: "failed" };
  return { models: value ?? seed.models, state: isCurrent ? "ok" : "loading" };
}

async function findModelOffer(model: string, usual: readonly ModelOffer[]): Promise<ModelOffer | null> {
  const modelText = toModelText(parseModel(model));
  const isIt = (offer: ModelOffer): boolean => toModelText(offer) === modelText;
  return usual.find(isIt) ?? (await findModels(modelText)).find(isIt) ?? null;
}

/** Null also when the list cannot be loaded: then only the facts below the field are missing. */
export function useModelOffer(model: string): ModelOffer | null {
  const { seed } = useSession();
  const modelText = toModelText(parseModel(model));
  const usual = seed.models.find((offer) => toModelText(offer) === modelText);
  const { value, isCurrent } = useLoaded({ key: usual || model === "" ? null : modelText }, () =>
    findModelOffer(model, seed.models),
  );
  return usual ?? (isCurrent ? value : null);
}

/** Never rejects. */
export async function describeModel(model: string, { models, providers }: Pick<Seed, "models" | "providers">) {
  const { provider: id, name } = parseModel(model);
  const provider = providers.find((candidate) => candidate.id === id);
  const label = provider?.label ?? id;
  const bare = { provider: id, name, ...factsOf(id, name) };
  const facts = await findModelOffer(model, models).then(
    (offer) =>
      offer || id === "demo" ? describeBriefly(offer ?? bare, label) : [label, "This model is not in any list."],
    () => [...describeBriefly(bare, label), "The model list could not be loaded."],
  );
  return provider?.missing === undefined
    ? facts
    : [...facts, `Not connected: enter a key in the settings, or set ${provider.missing}.`];
}
