import { Annotation } from "@codemirror/state";
import type { ViewUpdate } from "@codemirror/view";

/** Marks what does not come from the user of this text. */
export const externalChange = Annotation.define<boolean>();

export const isExternal = ({ transactions }: ViewUpdate): boolean =>
  transactions.some((transaction) => transaction.annotation(externalChange));
