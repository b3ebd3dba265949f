import "server-only";
import { z } from "zod";
import type { JsonSchema } from "@/lib/core/flow/flow";
import type { ToolSpec } from "@/lib/core/run/ports/model";
import type { Tool } from "@/lib/core/run/ports/tool";

type ToolDefinition<Input> = Omit<Tool<Input>, "spec"> & Pick<ToolSpec, "name" | "description">;

const jsonSchema = z.custom<JsonSchema>((value) => typeof value === "object" && value !== null);

/** The JSON Schema of a tool's arguments, as a model sees it. */
function toParameters(input: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(input, { io: "input" });
  return jsonSchema.parse(parameters);
}

/** A tool whose arguments are described once: the zod schema checks them and tells the model what they are. */
export function defineTool<Input>({ name, description, ...tool }: ToolDefinition<Input>): Tool<Input> {
  return { ...tool, spec: { name, description, parameters: toParameters(tool.input) } };
}
