import { parseModel } from "@/lib/core/flow/model-name";
import { factsOf } from "@/lib/core/flow/model-support";
import type { Seed } from "../session";
import { describeBriefly } from "./describe-model";
import { findModelOffer } from "./use-models";

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
  return provider?.missing === undefined ? facts : [...facts, `No key: set ${provider.missing}`];
}
