import type { Json } from "@/lib/core/flow/flow";
import { isJsonObject, parseJson } from "@/lib/core/flow/parse-json";

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
  if (!isJsonObject(parsed)) return null;
  const tools = Array.isArray(parsed.tools) ? parsed.tools.filter(isJsonObject) : [];
  return tools
    .flatMap((tool) => {
      if (Array.isArray(tool.functionDeclarations)) return tool.functionDeclarations.filter(isJsonObject);
      return isJsonObject(tool.function) ? [tool.function] : [tool];
    })
    .map((tool) => ({
      name: toText(tool.name),
      description: toText(tool.description),
      parameters: tool.parameters ?? tool.input_schema ?? tool.parametersJsonSchema ?? {},
    }));
}

const toText = (value: Json | undefined): string => (typeof value === "string" ? value : "");
