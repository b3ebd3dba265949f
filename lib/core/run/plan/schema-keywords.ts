import type { Ajv, SchemaValidateFunction } from "ajv";
import type { DataValidateFunction } from "ajv/dist/types";
import type { Json } from "../../flow/flow";
import { toCanonicalJson } from "./canonical-json";

/**
 * Replaces the keywords that Ajv checks by comparing each value with each other one: of 40,000 items that takes minutes.
 * These take time in proportion to the value.
 */
export function addLinearKeywords(ajv: Ajv): void {
  ajv.removeKeyword("uniqueItems");
  ajv.removeKeyword("enum");
  ajv.addKeyword({ keyword: "uniqueItems", type: "array", schemaType: "boolean", validate: checkUniqueItems });
  ajv.addKeyword({ keyword: "enum", schemaType: "array", compile: compileEnum });
}

const checkUniqueItems: SchemaValidateFunction = (isWanted: boolean, items: readonly Json[]) => {
  if (!isWanted) return true;
  const positions = new Map<string, number>();
  for (const [position, item] of items.entries()) {
    const text = toCanonicalJson(item);
    const equal = positions.get(text);
    if (equal !== undefined) {
      checkUniqueItems.errors = [
        { message: `must NOT have duplicate items (items ## ${equal} and ${position} are identical)` },
      ];
      return false;
    }
    positions.set(text, position);
  }
  return true;
};

function compileEnum(values: readonly Json[]) {
  if (values.length === 0) throw new Error("`enum` must have at least one value.");
  const texts = new Set(values.map(toCanonicalJson));
  const check: DataValidateFunction = (value: Json) => {
    if (texts.has(toCanonicalJson(value))) return true;
    check.errors = [{ message: "must be equal to one of the allowed values" }];
    return false;
  };
  return check;
}
