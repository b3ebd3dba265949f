import "server-only";
import {
  mayBeBareCalls,
  type OfferedTools,
  readBareCalls,
  type TextCall,
  type TextCallForm,
  textCallForms,
} from "./text-call-forms";

const fence = "```";
/** How much of an answer shows whether it may be the JSON of calls. */
const headLength = 200;
/** Most UTF-16 units that are held back; what is longer is no call. */
const longestHeld = 1_000_000;

/**
 * Separates tool calls that a model writes as text from its answer while it streams. A call counts when it begins a line
 * outside of code and nothing but calls follows it, or when the whole answer is its JSON; what may become one is held
 * back. Everything else is passed on as it came. Linear in the length of the answer.
 */
export class TextCalls {
  #state: "start" | "lines" | "bare" | "blocks" | "answer";
  /** Held back: the beginning of a line, or everything since a call may have begun. */
  #held: string[] = [];
  #heldLength = 0;
  /** bare: the beginning of what is held back. */
  #head = "";
  /** blocks: the form; the text of the open block, its beginning and its end; the calls of the blocks before it. */
  #form: TextCallForm | null = null;
  #block: string[] = [];
  #begin = "";
  #tail = "";
  #calls: TextCall[] = [];
  #isLineStart = true;
  #isInFence = false;

  /** `bareJson`: whether an answer may be the JSON of a call, which it may not when JSON was asked for. */
  constructor(
    private readonly offered: OfferedTools,
    { bareJson }: { bareJson: boolean },
  ) {
    this.#state = bareJson ? "start" : "lines";
  }

  /** The part of the answer that is no call. */
  read(text: string): string {
    if (this.#state === "answer" || text === "") return text;
    if (this.#heldLength > longestHeld) {
      this.#state = "answer";
      return this.#takeHeld() + text;
    }
    if (this.#state === "blocks") return this.#readBlocks(text);
    if (this.#state === "bare") return this.#readBare(text);
    const pendingText = this.#takeHeld() + text;
    return this.#state === "start" ? this.#readStart(pendingText) : this.#readLines(pendingText);
  }

  /** At the end of the answer: its calls, or else the text that was held back. `isTaken`: calls came otherwise already. */
  finish(isTaken: boolean): { calls: TextCall[]; text: string } {
    const calls = isTaken ? null : this.#finishCalls();
    const text = calls ? "" : this.#takeHeld();
    this.#state = "answer";
    return { calls: calls ?? [], text };
  }

  #finishCalls(): TextCall[] | null {
    if (this.#state === "bare") return readBareCalls(this.#held.join(""), this.offered);
    if (this.#state !== "blocks" || !this.#form) return null;
    const calls = this.#begin === "" ? [] : this.#readBlock(this.#form);
    return calls && [...this.#calls, ...calls];
  }

  #takeHeld(): string {
    const text = this.#held.join("");
    this.#held = [];
    this.#heldLength = 0;
    return text;
  }

  #readStart(text: string): string {
    const begin = text.trimStart();
    if (begin === "") return this.#readLines(text);
    this.#state = /^[[{`]/.test(begin) ? "bare" : "lines";
    if (this.#state === "lines") return this.#readLines(text);
    return text.slice(0, text.length - begin.length) + this.#readBare(begin);
  }

  #readBare(text: string): string {
    this.#hold(text);
    if (this.#head.length >= headLength) return "";
    this.#head = (this.#head + text).trimStart().slice(0, headLength);
    if (mayBeBareCalls(this.#head, this.offered)) return "";
    this.#state = "lines";
    return this.#readLines(this.#takeHeld());
  }

  /** Looks at the beginning of each line; passes on what is known to be no call. */
  #readLines(text: string): string {
    let lineStart = 0;
    while (lineStart < text.length) {
      if (this.#isLineStart) {
        const line = text.slice(lineStart, lineStart + headLength).replace(/^ {0,3}/, "");
        if (mayOpen(line)) return text.slice(0, lineStart) + this.#hold(text.slice(lineStart));
        const form = this.#isInFence ? undefined : textCallForms.find(({ open }) => line.startsWith(open));
        if (form) return text.slice(0, lineStart) + this.#open(form, text.slice(lineStart));
        if (line.startsWith(fence)) this.#isInFence = !this.#isInFence;
      }
      const end = text.indexOf("\n", lineStart);
      this.#isLineStart = end >= 0;
      lineStart = end < 0 ? text.length : end + 1;
    }
    return text;
  }

  #hold(text: string): string {
    this.#held.push(text);
    this.#heldLength += text.length;
    return "";
  }

  #open(form: TextCallForm, text: string): string {
    this.#state = "blocks";
    this.#form = form;
    return this.#readBlocks(text);
  }

  #readBlocks(text: string): string {
    this.#hold(text);
    const form = this.#form;
    for (let remainingText = text; form && remainingText !== ""; ) {
      const end = this.#findClose(form, remainingText);
      const blockText = remainingText.slice(0, end);
      this.#block.push(blockText);
      if (this.#begin.length < form.open.length)
        this.#begin = (this.#begin + blockText).trimStart().slice(0, form.open.length);
      if (!form.open.startsWith(this.#begin)) return this.#giveUp();
      if (end === undefined) break;
      const calls = this.#readBlock(form);
      if (!calls) return this.#giveUp();
      this.#calls.push(...calls);
      [this.#block, this.#begin, this.#tail] = [[], "", ""];
      remainingText = remainingText.slice(end);
    }
    return "";
  }

  /** Where the block ends in the next piece of it; undefined: it goes on. */
  #findClose({ close }: TextCallForm, blockText: string): number | undefined {
    if (close === undefined) return undefined;
    const searchedText = this.#tail + blockText;
    const index = searchedText.indexOf(close);
    if (index >= 0) return index + close.length - this.#tail.length;
    this.#tail = searchedText.slice(1 - close.length);
    return undefined;
  }

  /** The calls of the open block; null: it holds something else. */
  #readBlock({ open, close = "", read }: TextCallForm): TextCall[] | null {
    const block = this.#block.join("").trim();
    if (!block.startsWith(open)) return null;
    const end = close !== "" && block.endsWith(close) ? -close.length : undefined;
    return read(block.slice(open.length, end), this.offered);
  }

  #giveUp(): string {
    this.#state = "answer";
    return this.#takeHeld();
  }
}

const openings = [fence, ...textCallForms.map(({ open }) => open)];

/** Whether the beginning of a line may become a fence or a call. */
const mayOpen = (line: string): boolean =>
  openings.some((opening) => line.length < opening.length && opening.startsWith(line));
