import "server-only";
import { parseModel } from "@/lib/core/flow/model-name";
import type { ModelPort } from "@/lib/core/run/ports/model";

/** The same models by name, all answered by the provider `demo`: no other provider is called, and no key is needed. */
export const simulateModels = (models: ModelPort): ModelPort => ({
  find: (model) => models.find(`demo:${parseModel(model).name}`),
});
