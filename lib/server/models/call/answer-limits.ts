import "server-only";
import type { ModelEventOf } from "@/lib/core/run/ports/model";
import { getEnv } from "../../env";

/**
 * Longest line of a stream, and most bytes of one: what a provider never sends, and a broken or hostile server may. A line of
 * OpenAI's Responses repeats the whole answer.
 */
const getLongestLine = (): number => Math.max(8_000_000, bytesOfLetter * getEnv().SWARMLOOM_MAX_ANSWER * 1_000_000);
/** In UTF-8 most UTF-16 units have at most these. */
const bytesOfLetter = 3;
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
  readonly #longestLine = getLongestLine();
  #line = 0;
  #total = 0;

  /** @throws AnswerTooLong */
  add(bytes: Uint8Array): void {
    const lineEnd = Math.max(bytes.lastIndexOf(10), bytes.lastIndexOf(13));
    this.#line = lineEnd === -1 ? this.#line + bytes.length : bytes.length - lineEnd - 1;
    this.#total += bytes.length;
    if (this.#line > this.#longestLine)
      throw new AnswerTooLong(`The server sent a line of more than ${this.#longestLine} bytes. The call was ended.`);
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

export type TextEvent = ModelEventOf<"text" | "reasoning">;

/** Counts the text and the reasoning of one answer while they arrive. */
export class AnswerMeter {
  readonly #lengths = { text: 0, reasoning: 0 };

  /** `most`: UTF-16 units of text, and of reasoning. `maxTokens`: what the request allows, for servers that ignore it. */
  constructor(readonly limits: { most: number; maxTokens: number | undefined }) {}

  /** UTF-16 units of text and reasoning so far. */
  get length(): number {
    return this.#lengths.text + this.#lengths.reasoning;
  }

  /** The event, or as much of it as the answer may still have together with why no more. */
  take(event: TextEvent): { event: TextEvent; excess?: AnswerTooLong } {
    const { type, text } = event;
    const { most, maxTokens } = this.limits;
    const remaining = most - this.#lengths[type];
    this.#lengths[type] += text.length;
    if (text.length > remaining)
      return {
        event: { type, text: text.slice(0, remaining).replace(/[\uD800-\uDBFF]$/, "") },
        excess: new AnswerTooLong(
          `The answer has more than ${most} characters of ${type}, so the call was ended; what came before is kept. Set max_tokens, or raise SWARMLOOM_MAX_ANSWER.`,
        ),
      };
    if (maxTokens !== undefined && this.length > maxTokens * longestToken + 1000)
      return {
        event,
        excess: new AnswerTooLong(
          `The server does not heed max_tokens: ${this.length} characters came although ${maxTokens} tokens were allowed. The call was ended; what came is kept.`,
        ),
      };
    return { event };
  }
}
