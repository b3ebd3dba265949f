import "server-only";
import type { ModelEvent } from "@/lib/core/run/ports/model";

/** Longest line of a stream, and most bytes of one: what a provider never sends, and a broken or hostile server may. */
const longestLine = 8_000_000;
const longestStream = 500_000_000;
/** Longest answer that comes at once instead of as a stream, in bytes. */
export const longestBody = 16_000_000;
/** Most UTF-16 units of the arguments of one answer's tool calls. */
const longestArguments = 4_000_000;
/** No tokenizer known packs more UTF-16 units into a token on average. */
const longestToken = 40;

/** An answer that is longer than it may be. What of it came before stays. */
export class AnswerTooLong extends Error {
  override name = "AnswerTooLong";
}

/** Counts the bytes of a stream and of its current line. */
export class StreamMeter {
  #line = 0;
  #total = 0;

  /** @throws AnswerTooLong */
  add(bytes: Uint8Array): void {
    const lineEnd = Math.max(bytes.lastIndexOf(10), bytes.lastIndexOf(13));
    this.#line = lineEnd === -1 ? this.#line + bytes.length : bytes.length - lineEnd - 1;
    this.#total += bytes.length;
    if (this.#line > longestLine)
      throw new AnswerTooLong(`The server sent a line of more than ${longestLine} bytes. The call was ended.`);
    if (this.#total > longestStream)
      throw new AnswerTooLong(`The server sent more than ${longestStream} bytes. The call was ended.`);
  }
}

/** @throws AnswerTooLong for tool calls with arguments of so many UTF-16 units. */
export function assertArgumentsLength(length: number): void {
  if (length > longestArguments)
    throw new AnswerTooLong(
      `The answer's tool calls have more than ${longestArguments} characters. The call was ended.`,
    );
}

interface AnswerLimits {
  /** Most UTF-16 units of text, and of reasoning. */
  length: number;
  /** What the request allows, for servers that ignore it. */
  maxTokens?: number | undefined;
}

type TextEvent = Extract<ModelEvent, { type: "text" | "reasoning" }>;

/** Counts the text and the reasoning of one answer while they arrive. */
export class AnswerMeter {
  readonly #length = { text: 0, reasoning: 0 };
  readonly #limits: AnswerLimits;

  constructor(limits: AnswerLimits) {
    this.#limits = limits;
  }

  /** The event, or as much of it as the answer may still have together with why no more. */
  take(event: TextEvent): { event: TextEvent; excess?: AnswerTooLong } {
    const { type, text } = event;
    const { length, maxTokens } = this.#limits;
    const remaining = length - this.#length[type];
    this.#length[type] += text.length;
    const total = this.#length.text + this.#length.reasoning;
    if (text.length > remaining)
      return {
        event: { type, text: text.slice(0, remaining).replace(/[\uD800-\uDBFF]$/, "") },
        excess: new AnswerTooLong(
          `The answer has more than ${length} characters of ${type}, so the call was ended; what came before is kept. Set max_tokens, or raise SWARMLOOM_MAX_ANSWER.`,
        ),
      };
    if (maxTokens !== undefined && total > maxTokens * longestToken + 1000)
      return {
        event,
        excess: new AnswerTooLong(
          `The server does not heed max_tokens: ${total} characters came although ${maxTokens} tokens were allowed. The call was ended; what came is kept.`,
        ),
      };
    return { event };
  }
}
