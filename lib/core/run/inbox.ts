/** Messages for agents that are at work: each is put before the agent's next model call, first in, first out. */
export class Inbox {
  readonly #waiting = new Map<string, string[]>();

  /** `agent` is a declared name, or the path of one agent node. Throws for a blank text. */
  put(agent: string, text: string): void {
    if (text.trim() === "") throw new Error("A message needs a text; found a blank one.");
    this.#waiting.set(agent, [...(this.#waiting.get(agent) ?? []), text]);
  }

  /** Takes out what waits for the agent. */
  take(agent: string): string[] {
    const found = this.#waiting.get(agent) ?? [];
    this.#waiting.delete(agent);
    return found;
  }
}
