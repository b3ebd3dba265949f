import { z } from "zod";
import { answererWords } from "../events/answerer-words";
import { ScopeStop } from "../scope/cancel-scope";
import { toFailure, toStopped, toSuccess } from "../scope/node-result";
import { defineEngineTool } from "./engine-tool";
import { requestHumanInput } from "./request-human-input";

/** Longest wait for an answer, in seconds. */
const longestWait = 86_400;

/** The tool by which an agent asks a user. */
export const askHuman = defineEngineTool({
  name: "ask_human",
  description: "Asks a person, and waits for the answer. Use it when only a person can know or decide.",
  input: z.strictObject({
    prompt: z.string().min(1).describe("What to ask the person"),
    choices: z.array(z.string()).min(1).optional().describe("Answers to choose from; leave out for a free answer"),
  }),
  perform: async ({ prompt, choices }, { parent: node, path, scope }, engine) => {
    const request = { type: "question", node, path, message: prompt, ...(choices && { choices }) } as const;
    const answer = await requestHumanInput(engine, scope, request, longestWait);
    if (answer instanceof ScopeStop) return toStopped(answer);
    const { decision, text = "", reason, by: user } = answer;
    if (decision === "approved") return toSuccess(text);
    const message = `${user}${answererWords.notAnswered}${reason ? `: ${reason}` : "."}`;
    return toFailure({ code: "rejected", message });
  },
});
