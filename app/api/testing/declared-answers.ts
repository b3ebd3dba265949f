import { Ajv2020 } from "ajv/dist/2020.js";
import * as z from "zod";

const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ responses: z.record(z.string(), z.unknown()) }))),
});

/**
 * Of an OpenAPI document: what an answer has that it does not declare, or lacks; null: it is as declared. `path` as the
 * document writes it.
 */
export function toAnswerCheck(document: object) {
  const { paths } = documentSchema.parse(document);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "openapi", ...document });
  return async (path: string, method: string, response: Response): Promise<string | null> => {
    const responses = paths[path]?.[method.toLowerCase()]?.responses ?? {};
    if (!(response.status in responses)) return `${method} ${path} does not declare the status ${response.status}`;
    const media = response.headers.get("content-type")?.split(";")[0] ?? null;
    const pointer = [path, method.toLowerCase(), "responses", String(response.status)].map(escapePointer).join("/");
    const find = (rest: string) => ajv.getSchema(`openapi#/paths/${pointer}${rest}`);
    if (media === null) return find("/content") === undefined ? null : `${method} ${path} declares a body, found none`;
    const validate = find(`/content/${escapePointer(media)}/schema`);
    if (!validate) return `${method} ${path} does not declare ${media}`;
    const isText = media !== "application/json";
    if (validate(isText ? await response.text() : await response.json())) return null;
    return `${method} ${path}: ${ajv.errorsText(validate.errors)}`;
  };
}

const escapePointer = (name: string): string => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
