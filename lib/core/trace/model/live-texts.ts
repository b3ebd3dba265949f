/** The text and reasoning of a running model call. */
export interface LiveText {
  text: string;
  reasoning: string;
}

/**
 * The texts of what runs just now, by span. A call's words are kept until the step above it ends or speaks through another
 * call; afterwards they are read from the store.
 */
export class LiveTexts {
  readonly #texts = new Map<number, LiveText>();
  /** The call that spoke last, by the span above it. */
  readonly #speakers = new Map<number, number>();

  append(call: number, above: number, textDelta: Partial<LiveText>): void {
    const before = this.#texts.get(call) ?? { text: "", reasoning: "" };
    this.#texts.set(call, {
      text: before.text + (textDelta.text ?? ""),
      reasoning: before.reasoning + (textDelta.reasoning ?? ""),
    });
    const last = this.#speakers.get(above);
    if (last === call) return;
    if (last !== undefined) this.#texts.delete(last);
    this.#speakers.set(above, call);
  }

  /** What a call had said belongs to an attempt that failed: the next one begins anew. */
  clear(call: number): void {
    if (this.#texts.has(call)) this.#texts.set(call, { text: "", reasoning: "" });
  }

  /** The words of a call, or of the step above calls: those of the call that spoke last. */
  of(span: number): LiveText | undefined {
    return this.#texts.get(this.#speakers.get(span) ?? span);
  }

  /** A step has ended: the words of its calls are not needed any more. */
  close(span: number): void {
    const speaker = this.#speakers.get(span);
    if (speaker === undefined) return;
    this.#texts.delete(speaker);
    this.#speakers.delete(span);
  }

  /** Every text that is here, for a reader who comes in the middle. */
  entries(): [call: number, text: LiveText][] {
    return [...this.#texts];
  }
}
