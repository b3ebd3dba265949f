import type { Flow } from "../flow/flow";
import type { Message } from "./messages";

const lookUp = /\$\{(?:input|vars\.([^{}]*))\}/g;

/**
 * Puts `${input}` and `${vars.NAME}` into instructions. A look-up and nothing more: what was put in is not read again, and
 * what is not known stays as it is written.
 */
export function fillInstructions(instructions: string, vars: Flow["vars"], input: string): string {
  return instructions.replaceAll(lookUp, (written: string, name?: string) =>
    name === undefined ? input : String(vars.get(name) ?? written),
  );
}

/** The conversation that an agent starts with: instructions (unless empty), what was said before, the input. */
export function startMessages(instructions: string, history: readonly Message[], input: string): Message[] {
  const question: Message = { role: "user", content: input };
  if (instructions.trim() === "") return [...history, question];
  return [{ role: "system", content: instructions }, ...history, question];
}
