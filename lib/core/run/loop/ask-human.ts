import { z } from "zod";
import { requestHumanInput } from "../ports/human-input";
import type { ToolSpec } from "../ports/model";
import { type Engine, toFailure, toStopped, toSuccess } from "../scope/engine";
import type { EngineTool } from "./agent-tools";

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

/** The tool by which an agent asks a person. */
export const askHuman = {
  spec,
  input,
  bind: (engine: Engine): EngineTool => ({
    spec,
    input,
    perform: async (given, { parent: node, path, scope }) => {
      const { prompt: message, choices } = input.parse(given);
      const asked = { type: "question", node, path, message, ...(choices && { choices }) } as const;
      const found = await requestHumanInput(engine, scope, asked, longestWait);
      if (!found.ok) return "stop" in found ? toStopped(found.stop) : toFailure(found.error);
      const { decision, text = "", reason, by } = found.answer;
      if (decision === "approved") return toSuccess(text);
      return toFailure({ code: "rejected", message: `${by} did not answer${reason ? `: ${reason}` : "."}` });
    },
  }),
};
