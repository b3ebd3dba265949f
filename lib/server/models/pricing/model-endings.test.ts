import { describe, expect, it } from "vitest";
import { readSource } from "@/lib/core/source/read-source";
import { listProviders } from "../model-port";
import { findEnding, listEndings } from "./model-endings";

const namesOn = (today: string): string[] => listEndings("openai", today).map(({ model }) => model);

describe("the ends of models", () => {
  it("are those of the past and of the next 90 days", () => {
    expect(namesOn("2026-10-15")).not.toContain("gpt-4o");
    expect(namesOn("2026-10-16")).toContain("gpt-4o");
    expect(listEndings("openai", "2027-01-14").find(({ model }) => model === "gpt-4o")).toEqual({
      model: "gpt-4o",
      on: "2027-01-14",
      isOver: false,
      next: "gpt-6-luna",
    });
    expect(listEndings("openai", "2027-01-15").find(({ model }) => model === "gpt-4o")?.isOver).toBe(true);
    expect(listEndings("compatible", "2027-01-15")).toEqual([]);
  });

  it("are those of a snapshot, too, unless it has its own", () => {
    expect(findEnding("openai", "gpt-4o-2024-08-06")?.on).toBe("2027-01-14");
    expect(findEnding("openai", "gpt-4o-2024-05-13")?.on).toBe("2026-10-23");
    expect(findEnding("anthropic", "claude-sonnet-4-5-20250929")?.on).toBe("2026-11-30");
    expect(findEnding("anthropic", "claude-opus-5-5")).toBeUndefined();
  });

  it("are problems of flows, and take the models from those that are offered", () => {
    const providers = listProviders({ OPENAI_API_KEY: "sk-test" });
    expect(providers.find(({ id }) => id === "openai")?.models).not.toContain("o1-pro");
    const { problems } = readSource("agents:\n  a: { model: openai:gpt-4-32k }\nswarm: { flow: a }\n", { providers });
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      [
        "ending-model",
        'Agent "a" uses the model "gpt-4-32k", which ended on 2025-06-06, so its calls fail, or another model answers. Its provider names gpt-4o in its place.',
      ],
    ]);
  });

  it("are not known of another address", () => {
    const [, openai] = listProviders({ OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: "https://models.example/v1" });
    expect(openai).toMatchObject({ id: "openai" });
    expect(openai).not.toHaveProperty("endings");
  });
});
