import { type SharedTextKind, sharedTexts } from "./share-requests";

export const textNames: Readonly<Record<SharedTextKind, { label: string; hint: string; noun: string }>> = {
  inputs: {
    label: "Inputs",
    hint: "What the run was given, and the text of the flow with its instructions.",
    noun: "its input and the flow",
  },
  outputs: { label: "Answers", hint: "What the agents and the run answered.", noun: "the answers" },
  tools: { label: "Tools", hint: "What tools were given, and what they answered.", noun: "the calls of tools" },
};

const joinNouns = new Intl.ListFormat("en", { type: "conjunction" });

/** What a link with these texts shows, and what it does not, as parts of sentences. */
export function describeTexts(texts: readonly SharedTextKind[]): { shown: string; hidden: string } {
  const toNouns = (isShown: boolean) =>
    sharedTexts.filter((text) => texts.includes(text) === isShown).map((text) => textNames[text].noun);
  return {
    shown: joinNouns.format(["the steps with their names, times, tokens and costs", ...toNouns(true)]),
    hidden: joinNouns.format(toNouns(false)),
  };
}
