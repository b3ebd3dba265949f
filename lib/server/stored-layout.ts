import "server-only";
import { emptyLayout, type Layout } from "@/lib/core/flow/edit";
import { findJsonAs } from "@/lib/core/flow/parse-json";
import { layoutSchema } from "@/lib/core/flow/schemas/layout-schema";

/** The layout of a revision's row. One that cannot be read is empty: the canvas then places every node anew. */
export const readLayout = (text: string): Layout => findJsonAs(text, layoutSchema) ?? emptyLayout;
