import { z } from "zod";
import type { NodeResult } from "../events/event-recorder";
import type { ToolSpec } from "../ports/model";
import type { Engine, RunPosition } from "../scope/engine";

/** A tool that the engine performs itself: it may run further nodes below the node of its call. */
export interface EngineTool<Input = unknown> {
  spec: ToolSpec;
  input: z.ZodType<Input>;
  /** `position` is inside the tool_call node; its `pathSuffix` goes to the nodes that the tool runs. */
  perform(input: Input, position: RunPosition, engine: Engine, recorded?: NodeResult): Promise<NodeResult>;
  /**
   * True: it does more than give a result, so a resumed run performs a call that succeeded once more, on the nodes in the
   * journal, with the result that was `recorded`. That stays its result.
   */
  isRecalled?: boolean;
  /** True: it looks at what others do, so asking the same again is no loop. */
  isPolling?: boolean;
}

const parametersSchema = z.record(z.string(), z.json());

/** An engine tool whose parameters are those of `input`. */
export function defineEngineTool<Input>({
  name,
  description,
  ...tool
}: Omit<EngineTool<Input>, "spec"> & Pick<ToolSpec, "name" | "description">): EngineTool<Input> {
  const { $schema: _, ...parameters } = z.toJSONSchema(tool.input, { io: "input" });
  return { ...tool, spec: { name, description, parameters: parametersSchema.parse(parameters) } };
}
