import "server-only";
import type { ModelEventOf } from "@/lib/core/run/ports/model";

const open = "<think>";
const close = "</think>";

type AnswerChunk = ModelEventOf<"text" | "reasoning">;

/** Separates a leading `<think>…</think>` from the answer while it streams; the tags may come in any pieces. */
export class ThinkTags {
  #state: "start" | "thinking" | "after" | "answer" = "start";
  #held = "";

  read(text: string): AnswerChunk[] {
    this.#held += text;
    if (this.#state === "start") {
      const begin = this.#held.trimStart();
      if (begin !== open && open.startsWith(begin)) return [];
      this.#state = begin.startsWith(open) ? "thinking" : "answer";
      if (this.#state === "thinking") this.#held = begin.slice(open.length);
    }
    const thought = this.#state === "thinking" ? this.#readThought() : "";
    // After the thinking, blank lines belong to neither.
    if (this.#state === "after") this.#held = this.#held.trimStart();
    if (this.#state === "after" && this.#held !== "") this.#state = "answer";
    return [...toEvents("reasoning", thought), ...(this.#state === "answer" ? toEvents("text", this.#release()) : [])];
  }

  /** What is still held back at the end of the stream. */
  finish(): AnswerChunk[] {
    return this.#state === "after" ? [] : toEvents(this.#state === "thinking" ? "reasoning" : "text", this.#release());
  }

  /** What is certain to be thinking. */
  #readThought(): string {
    const end = this.#held.indexOf(close);
    if (end >= 0) this.#state = "after";
    const length = end >= 0 ? end : this.#held.length - longestOverlap(this.#held, close);
    const thought = this.#held.slice(0, length);
    this.#held = this.#held.slice(end >= 0 ? end + close.length : length);
    return thought;
  }

  #release(): string {
    const text = this.#held;
    this.#held = "";
    return text;
  }
}

const toEvents = (type: AnswerChunk["type"], text: string): AnswerChunk[] => (text === "" ? [] : [{ type, text }]);

/** Length of the longest end of `text` that is a beginning of `tag`. */
function longestOverlap(text: string, tag: string): number {
  for (let length = Math.min(text.length, tag.length - 1); length > 0; length--)
    if (text.endsWith(tag.slice(0, length))) return length;
  return 0;
}
