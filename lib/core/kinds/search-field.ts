import { asWritten } from "../flow/field-variables";
import type { FieldTexts } from "../flow/flow";

/** What a search can be restricted to. */
export const searchAreas = ["names", "instructions", "tools", "models", "other"] as const;
export type SearchArea = (typeof searchAreas)[number];

/** A text of a declaration that a search looks at. */
export interface SearchField {
  area: SearchArea;
  /** The label of the field in the UI. */
  label: string;
  /** The names of the field and of what is in it; empty for the name of the declaration. */
  path: readonly string[];
  text: string;
}

/** The field, unless it is empty. */
export const searchField = (
  area: SearchArea,
  label: string,
  path: readonly string[],
  text: string | undefined,
): SearchField[] => (text === undefined || text === "" ? [] : [{ area, label, path, text }]);

/** Fields that are texts, as the file has them: variables are not filled. Empty ones are left out. */
export const searchFieldsOf = <Field extends string>(
  declaration: FieldTexts & { readonly [Name in Field]?: string | undefined },
  fields: readonly (readonly [area: SearchArea, label: string, field: Field])[],
): SearchField[] =>
  fields.flatMap(([area, label, field]) =>
    searchField(area, label, [field], asWritten(declaration, field, declaration[field])),
  );
