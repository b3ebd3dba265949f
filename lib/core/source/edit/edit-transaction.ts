import type { Layout } from "../../flow/edit";
import type { ProblemCode } from "../../flow/problem";
import { applyChanges } from "../../flow/text-change";
import type { TextChange } from "../../flow/text-range";
import type { SourceDocument } from "../read/source-document";
import { readChanged } from "../read-source";
import { EntryEditor } from "./entry-editor";

/** A range of the original text that is unchanged, or an inserted text. */
type TextSegment = { from: number; to: number } | { insert: string };
const lengthOf = (segment: TextSegment): number =>
  "insert" in segment ? segment.insert.length : segment.to - segment.from;

/** Why an edit cannot be done. Thrown inside this room only; `applyEdit` returns it. */
export class EditRefused extends Error {
  constructor(
    readonly code: ProblemCode,
    message: string,
  ) {
    super(message);
  }
}

/** A flow file under change, step by step; at the end the steps are one set of changes of the first text. */
export class EditTransaction {
  #segments: TextSegment[];
  #text: string;
  /** The newest text that was read. */
  #document: SourceDocument;
  notice: string | undefined;

  constructor(
    document: SourceDocument,
    public layout: Layout,
  ) {
    this.#text = document.text;
    this.#document = document;
    this.#segments = [{ from: 0, to: document.text.length }];
  }

  /** The current text, read lazily: most edits end with their last change. */
  get document(): SourceDocument {
    if (this.#document.text !== this.#text) this.#document = readChanged(this.#text, this.#document);
    return this.#document;
  }

  /** Makes changes of the current text. */
  get editor(): EntryEditor {
    return new EntryEditor(this.#text);
  }

  /** Applies changes of the current text. */
  apply(changes: readonly TextChange[]): void {
    if (changes.length === 0) return;
    this.#text = applyChanges(this.#text, changes);
    for (const change of [...changes].sort((a, b) => b.from - a.from || b.to - a.to))
      this.#segments = splice(this.#segments, change);
  }

  /** Everything that was applied, as changes of the first text. */
  changes(firstText: string): TextChange[] {
    const changes: TextChange[] = [];
    let position = 0;
    let insert = "";
    const close = (to: number): void => {
      if (to > position || insert !== "") changes.push({ from: position, to, insert });
      insert = "";
    };
    for (const segment of this.#segments) {
      if ("insert" in segment) insert += segment.insert;
      else {
        close(segment.from);
        position = segment.to;
      }
    }
    close(firstText.length);
    return changes;
  }
}

function splice(segments: readonly TextSegment[], { from: start, to: changeEnd, insert }: TextChange): TextSegment[] {
  const before: TextSegment[] = [];
  const after: TextSegment[] = [];
  let position = 0;
  for (const segment of segments) {
    const end = position + lengthOf(segment);
    if (position < start) before.push(sliceSegment(segment, 0, Math.min(end, start) - position));
    if (end > changeEnd) after.push(sliceSegment(segment, Math.max(position, changeEnd) - position, end - position));
    position = end;
  }
  return [...before, ...(insert === "" ? [] : [{ insert }]), ...after];
}

const sliceSegment = (segment: TextSegment, start: number, end: number): TextSegment =>
  "insert" in segment
    ? { insert: segment.insert.slice(start, end) }
    : { from: segment.from + start, to: segment.from + end };
