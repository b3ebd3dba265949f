import type { NodeKey } from "@/lib/core/flow/node-key";

/** The id of a node's element, for `aria-activedescendant`: no spaces, unique on the page. */
export const nodeDomId = (key: NodeKey): string => `node-${encodeURIComponent(key)}`;

export const insertButtonId = (edge: string): string => `insert-${encodeURIComponent(edge)}`;
