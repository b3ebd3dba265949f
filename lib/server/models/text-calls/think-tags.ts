import "server-only";

const open = "<think>";
const close = "</think>";

export interface AnswerChunk {
  type: "text" | "reasoning";
  text: string;
}

/** Separates a leading `<think>…</think>` from the answer while it streams; the tags may come in any pieces. */
export class ThinkTags {
  #state: "start" | "thinking" | "after" | "answer" = "start";
  #held = "";

  read(text: string): AnswerChunk[] {
    if (this.#state === "answer") return text === "" ? [] : [{ type: "text", text }];
    this.#held += text;
    if (this.#state === "start") return this.#readStart();
    if (this.#state === "thinking") return this.#readThinking();
    return this.#readAfterThinking();
  }

  /** What is still held back at the end of the stream. */
  finish(): AnswerChunk[] {
    const text = this.#held;
    this.#held = "";
    if (text === "" || this.#state === "after") return [];
    return [{ type: this.#state === "thinking" ? "reasoning" : "text", text }];
  }

  #readStart(): AnswerChunk[] {
    const begin = this.#held.trimStart();
    if (begin.startsWith(open)) {
      this.#state = "thinking";
      this.#held = begin.slice(open.length);
      return this.#readThinking();
    }
    return open.startsWith(begin) ? [] : this.#release();
  }

  #readThinking(): AnswerChunk[] {
    const end = this.#held.indexOf(close);
    if (end >= 0) {
      const thought = this.#held.slice(0, end);
      this.#held = this.#held.slice(end + close.length);
      this.#state = "after";
      return [...reasoning(thought), ...this.#readAfterThinking()];
    }
    const overlap = longestOverlap(this.#held, close);
    const thought = this.#held.slice(0, this.#held.length - overlap);
    this.#held = this.#held.slice(this.#held.length - overlap);
    return reasoning(thought);
  }

  /** After the thinking, blank lines belong to neither. */
  #readAfterThinking(): AnswerChunk[] {
    this.#held = this.#held.trimStart();
    return this.#held === "" ? [] : this.#release();
  }

  #release(): AnswerChunk[] {
    const text = this.#held;
    this.#held = "";
    this.#state = "answer";
    return text === "" ? [] : [{ type: "text", text }];
  }
}

const reasoning = (text: string): AnswerChunk[] => (text === "" ? [] : [{ type: "reasoning", text }]);

/** Length of the longest end of `text` that is a beginning of `tag`. */
function longestOverlap(text: string, tag: string): number {
  for (let length = Math.min(text.length, tag.length - 1); length > 0; length--)
    if (text.endsWith(tag.slice(0, length))) return length;
  return 0;
}
