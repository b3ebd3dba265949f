/** A message for an agent, and who sent it. */
export interface InboxMessage {
  /** A declared name, or the path of one agent node. */
  agent: string;
  text: string;
  by?: string | undefined;
}

/**
 * Messages for agents that are at work, or will be: each is put before the agent's next model call, first in, first out.
 * The engine of one run reports which agents work, so a message that no agent can receive any more is refused.
 */
export class Inbox {
  #waiting: InboxMessage[] = [];
  /** How many agents of each name, and of each path, are at work. Zero: they have ended. */
  readonly #working = new Map<string, number>();
  #isClosed = false;

  /** False: the agent has ended, or the run has. Throws for a blank text. */
  put(message: InboxMessage): boolean {
    if (message.text.trim() === "") throw new Error("A message needs a text; found a blank one.");
    if (this.#isClosed || this.#working.get(message.agent) === 0) return false;
    this.#waiting.push(message);
    return true;
  }

  /** An agent begins to work. */
  enter(name: string, path: string): void {
    this.#count(name, path, 1);
  }

  /** An agent has ended: it takes no message any more. */
  leave(name: string, path: string): void {
    this.#count(name, path, -1);
  }

  /** Removes and returns the messages for the agent. */
  take(name: string, path: string): InboxMessage[] {
    if (this.#waiting.length === 0) return [];
    const isFor = ({ agent }: InboxMessage): boolean => agent === name || agent === path;
    const taken = this.#waiting.filter(isFor);
    if (taken.length > 0) this.#waiting = this.#waiting.filter((message) => !isFor(message));
    return taken;
  }

  /** The run ends: returns the messages that no agent took. From now on every message is refused. */
  close(): InboxMessage[] {
    this.#isClosed = true;
    return this.#waiting.splice(0);
  }

  #count(name: string, path: string, by: 1 | -1): void {
    for (const key of name === path ? [name] : [name, path]) this.#working.set(key, (this.#working.get(key) ?? 0) + by);
  }
}
