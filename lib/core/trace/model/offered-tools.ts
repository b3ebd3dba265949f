import type { Json } from "../../flow/flow";
import { isJsonObject } from "../../flow/parse-json";

/**
 * The `tools` in the body of a request, as OpenAI (`{type, function}`), Anthropic (`input_schema`), Google
 * (`functionDeclarations`) and the demo write them. What is no object is left out; a tool may be without a name.
 */
export const toOfferedTools = (tools: Json | undefined) =>
  (Array.isArray(tools) ? tools : [])
    .filter(isJsonObject)
    .flatMap((tool) => {
      if (Array.isArray(tool.functionDeclarations)) return tool.functionDeclarations.filter(isJsonObject);
      return isJsonObject(tool.function) ? [tool.function] : [tool];
    })
    .map(({ name, description, parameters, input_schema, parametersJsonSchema }) => ({
      name: typeof name === "string" ? name : "",
      description: typeof description === "string" ? description : undefined,
      parameters: parameters ?? input_schema ?? parametersJsonSchema,
    }));
