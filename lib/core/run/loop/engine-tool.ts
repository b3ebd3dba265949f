import { z } from "zod";
import type { NodeResult } from "../events/event-recorder";
import type { ToolSpec } from "../ports/model";
import type { RunPosition } from "../scope/engine";

/** A tool that the engine performs itself: it may run further nodes below the node of its call. */
export interface EngineTool {
  spec: ToolSpec;
  input: z.ZodType;
  /** `position` is inside the tool_call node; its `pathSuffix` goes to the nodes that the tool runs. */
  perform(input: unknown, position: RunPosition): Promise<NodeResult>;
}

const parametersSchema = z.record(z.string(), z.json());

/** An engine tool whose arguments are `input`. */
export function defineEngineTool<Input>(definition: {
  name: string;
  description: string;
  input: z.ZodType<Input>;
  perform(input: Input, position: RunPosition): Promise<NodeResult>;
}): EngineTool {
  const { name, description, input, perform } = definition;
  const { $schema: _, ...parameters } = z.toJSONSchema(input, { io: "input" });
  return {
    spec: { name, description, parameters: parametersSchema.parse(parameters) },
    input,
    perform: (toolArguments, position) => perform(input.parse(toolArguments), position),
  };
}
