import { Ajv2020 } from "ajv/dist/2020";
import { getOpenApi } from "@/lib/server/api/openapi";

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: "openapi", ...getOpenApi() });

/**
 * What an answer has that the OpenAPI document does not declare, or lacks; null: it is as declared. `route`: the folder below
 * `app/api/v1`.
 */
export async function findUndeclared(route: string, method: string, response: Response): Promise<string | null> {
  const path = `/${route.replaceAll(/\[(\w+)\]/g, "{$1}")}`;
  const declared = getOpenApi().paths[path]?.[method.toLowerCase()]?.responses;
  const isDeclared = typeof declared === "object" && declared !== null && String(response.status) in declared;
  if (!isDeclared) return `${method} ${path} does not declare the status ${response.status}`;
  const media = response.headers.get("content-type")?.split(";")[0] ?? null;
  const pointer = [path, method.toLowerCase(), "responses", String(response.status)].map(escapePointer).join("/");
  const find = (rest: string) => ajv.getSchema(`openapi#/paths/${pointer}${rest}`);
  if (media === null) return find("/content") === undefined ? null : `${method} ${path} declares a body, found none`;
  const validate = find(`/content/${escapePointer(media)}/schema`);
  if (!validate) return `${method} ${path} does not declare ${media}`;
  const isText = media !== "application/json";
  if (validate(isText ? await response.text() : await response.json())) return null;
  return `${method} ${path}: ${ajv.errorsText(validate.errors)}`;
}

const escapePointer = (name: string): string => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
