/** A message for an agent, with its sender. */
export interface InboxMessage {
  /** A declared name, or the path of one agent node. */
  agent: string;
  text: string;
  by?: string | undefined;
  /** What identifies it where messages are stored: the event of its delivery names it. */
  number?: number | undefined;
}

/**
 * Messages for agents that are running, or will be: each is inserted before the agent's next model call, first in, first
 * out. The engine of one run reports which agents are running, so a message that no agent can receive is refused.
 */
export class Inbox {
  #messages: InboxMessage[] = [];
  /** Running agents by name and by path. Zero: they have ended. */
  readonly #running = new Map<string, number>();
  #isClosed = false;

  /** False: the agent has ended, or the run has. @throws Error for a blank text. */
  put(message: InboxMessage): boolean {
    if (message.text.trim() === "") throw new Error("A message needs a text; found a blank one.");
    return this.#running.get(message.agent) !== 0 && this.keep(message);
  }

  /** Takes a message whether or not an agent will read it: what none has read is reported at the end. False: the run has ended. */
  keep(message: InboxMessage): boolean {
    if (!this.#isClosed) this.#messages.push(message);
    return !this.#isClosed;
  }

  /** An agent starts. */
  enter(name: string, path: string): void {
    this.#count(name, path, 1);
  }

  /** An agent has ended: it takes no more messages. */
  leave(name: string, path: string): void {
    this.#count(name, path, -1);
  }

  /** Those that no agent has taken. */
  listWaiting(): readonly InboxMessage[] {
    return this.#messages;
  }

  /** Removes and returns the messages for the agent. */
  take(name: string, path: string): InboxMessage[] {
    if (this.#messages.length === 0) return [];
    const isFor = ({ agent }: InboxMessage): boolean => agent === name || agent === path;
    const messages = this.#messages.filter(isFor);
    if (messages.length > 0) this.#messages = this.#messages.filter((message) => !isFor(message));
    return messages;
  }

  /** The run ends: returns the undelivered messages. From now on every message is refused. */
  close(): InboxMessage[] {
    this.#isClosed = true;
    return this.#messages.splice(0);
  }

  #count(name: string, path: string, change: 1 | -1): void {
    for (const key of new Set([name, path])) this.#running.set(key, (this.#running.get(key) ?? 0) + change);
  }
}
