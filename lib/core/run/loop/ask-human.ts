import { z } from "zod";
import type { ToolSpec } from "../ports/model";
import type { Engine } from "../scope/engine";
import { toFailure, toStopped, toSuccess } from "../scope/node-result";
import type { EngineTool } from "./engine-tool";
import { requestHumanInput } from "./request-human-input";

const input = z.strictObject({
  prompt: z.string().min(1).describe("What to ask the person"),
  choices: z.array(z.string()).min(1).optional().describe("Answers to choose from; leave out for a free answer"),
});

const spec: ToolSpec = {
  name: "ask_human",
  description: "Asks a person, and waits for the answer. Use it when only a person can know or decide.",
  parameters: {
    type: "object",
    properties: {
      prompt: { type: "string", description: "What to ask the person" },
      choices: {
        type: "array",
        items: { type: "string" },
        description: "Answers to choose from; leave out for a free answer",
      },
    },
    required: ["prompt"],
    additionalProperties: false,
  },
};

/** Longest wait for an answer, in seconds. */
const longestWait = 86_400;

/** The tool by which an agent asks a user. */
export const askHuman = {
  spec,
  input,
  bind: (engine: Engine): EngineTool => ({
    spec,
    input,
    perform: async (toolArguments, { parent: node, path, scope }) => {
      const { prompt: message, choices } = input.parse(toolArguments);
      const request = { type: "question", node, path, message, ...(choices && { choices }) } as const;
      const result = await requestHumanInput(engine, scope, request, longestWait);
      if (!result.ok) return "stop" in result ? toStopped(result.stop) : toFailure(result.error);
      const { decision, text = "", reason, by: user } = result.answer;
      if (decision === "approved") return toSuccess(text);
      return toFailure({ code: "rejected", message: `${user} did not answer${reason ? `: ${reason}` : "."}` });
    },
  }),
};
