import type { Json } from "@/lib/core/flow/flow";
import { parseJson } from "@/lib/core/flow/parse-json";

export interface OfferedTool {
  name: string;
  description: string;
  parameters: Json;
}

/**
 * The tools in the body of a request, as OpenAI (`{type, function}`), Anthropic (`input_schema`), Google
 * (`functionDeclarations`) and the demo write them. Null: the text is no JSON.
 */
export function readTools(body: string): OfferedTool[] | null {
  const parsed = parseJson(body);
  if (!isObject(parsed)) return null;
  const tools = Array.isArray(parsed.tools) ? parsed.tools.filter(isObject) : [];
  return tools
    .flatMap((tool) => {
      if (Array.isArray(tool.functionDeclarations)) return tool.functionDeclarations.filter(isObject);
      return isObject(tool.function) ? [tool.function] : [tool];
    })
    .map((tool) => ({
      name: toText(tool.name),
      description: toText(tool.description),
      parameters: tool.parameters ?? tool.input_schema ?? tool.parametersJsonSchema ?? {},
    }));
}

const isObject = (value: unknown): value is { [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const toText = (value: Json | undefined): string => (typeof value === "string" ? value : "");
