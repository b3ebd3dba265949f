import { describe, expect, it, vi } from "vitest";
import type { ProviderOffer } from "@/lib/core/check/offer";
import { openEditor } from "../testing/open-editor";
import { createPriceCheck } from "./price-check";

const providers: ProviderOffer[] = [
  { id: "demo", label: "Demo", available: true, models: [], prices: "free" },
  { id: "openai", label: "OpenAI", available: true, models: ["gpt-listed"], prices: "listed" },
  { id: "compatible", label: "Own", available: true, models: [], prices: "unknown" },
];
const flowWith = (...models: string[]): string => `limits: { max_cost: 1 }
agents:
${models.map((model, index) => `  a${index}: { model: "${model}" }`).join("\n")}
swarm: { type: workflow, flow: ${models.map((_, index) => `a${index}`).join(" >> ")} }
`;

describe("prices in an editor", () => {
  it("warns of a model without a known price under a limit of cost, without asking the server", () => {
    const hasPrice = vi.fn(async () => true);
    const isPriced = createPriceCheck(providers, () => undefined, hasPrice);
    const text = flowWith("demo:x", "openai:gpt-listed", "compatible:llama");
    const editor = openEditor(text, { offer: { isPriced } });
    expect(editor.store.getState().problems).toMatchObject([{ code: "unpriced-model", severity: "warning" }]);
    expect(hasPrice).not.toHaveBeenCalled();
  });

  it("asks the server once for a model that no provider suggests, and again when that failed", async () => {
    const hasPrice = vi.fn(async ({ name }: { name: string }) => name === "gpt-dated");
    hasPrice.mockRejectedValueOnce(new Error("offline"));
    const isPriced = createPriceCheck(providers, () => editor.recheck(), hasPrice);
    const editor = openEditor(flowWith("openai:gpt-new", "openai:gpt-dated"), { offer: { isPriced } });
    expect(editor.store.getState().problems).toEqual([]);
    await vi.waitFor(() => expect(hasPrice.mock.calls.length).toBeGreaterThan(2));
    await vi.waitFor(() => expect(editor.store.getState().problems).toHaveLength(1));
    expect(editor.store.getState().problems[0]?.message).toContain('"openai:gpt-new"');
    expect(hasPrice.mock.calls.length).toBe(3);
  });
});
