import { countBytes } from "./count-bytes";
import type { Payload } from "./events";

/** UTF-8 bytes per token, as a rule of thumb; roughly right for scripts with several bytes per character, too. */
const bytesOfToken = 4;

/** About how many tokens a text of so many UTF-8 bytes has. */
export const toTokens = (bytes: number): number => Math.ceil(bytes / bytesOfToken);
export const countTokens = (text: string): number => toTokens(countBytes(text));
/** Also where only the beginning of a text is known. */
export const countPayloadTokens = ({ text, length }: Payload): number =>
  length === undefined ? countTokens(text) : toTokens(length);
