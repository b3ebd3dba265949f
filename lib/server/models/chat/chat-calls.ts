import "server-only";
import type { Json } from "@/lib/core/flow/flow";
import type { ToolCall } from "@/lib/core/run/events/messages";
import { assertArgumentsLength } from "../call/answer-limits";
import type { Deviations } from "../call/deviations";
import { isObject, type JsonObject, parseJson, textOf } from "../json";

interface OpenCall {
  index: number;
  id: string;
  name: string;
  arguments: string;
}

/**
 * Puts tool calls together from the pieces of a stream, whatever numbering a server uses: pieces belong together by
 * index and id; a new id at a used index, or a name behind complete arguments, begins a new call; a missing index is
 * the place in the piece's own list; a missing id is made up.
 */
export class CallCollector {
  readonly #calls: OpenCall[] = [];
  readonly #idPrefix: string;

  readonly #deviations: Deviations;

  /** `idPrefix` keeps made-up ids apart from those of earlier turns; what is corrected is added to `deviations`. */
  constructor(idPrefix: string, deviations: Deviations) {
    this.#idPrefix = idPrefix;
    this.#deviations = deviations;
  }

  /** Reads the `tool_calls` of one delta, or with `isWhole` of a message, where calls have no index. */
  add(pieces: Json | undefined, isWhole: boolean): void {
    if (!Array.isArray(pieces)) return;
    for (const [position, piece] of pieces.entries()) {
      if (!isObject(piece)) continue;
      if (!isWhole && typeof piece.index !== "number") this.#deviations.add("missing-index");
      this.#addPiece(piece, position);
    }
  }

  #addPiece(piece: JsonObject, position: number): void {
    const called = isObject(piece.function) ? piece.function : piece;
    const id = textOf(piece.id) ?? "";
    const name = textOf(called.name) ?? "";
    const index = typeof piece.index === "number" ? piece.index : position;
    const call = this.#find(index, id, name) ?? this.#open(index, typeof piece.index === "number");
    call.id ||= id;
    call.name ||= name;
    const given = called.arguments;
    if (typeof given === "string") call.arguments += given;
    else if (isObject(given)) {
      this.#deviations.add("object-arguments");
      call.arguments = JSON.stringify(given);
    }
    assertArgumentsLength(call.arguments.length);
  }

  /** The call that a piece goes on with, or undefined when it begins a new one. */
  #find(index: number, id: string, name: string): OpenCall | undefined {
    const last = this.#calls.findLast((call) => call.index === index);
    if (!last) return undefined;
    if (id !== "" && last.id !== "") return id === last.id ? last : this.#calls.find((call) => call.id === id);
    const isNew = name !== "" && (parseJson(last.arguments) !== undefined || (last.name !== "" && name !== last.name));
    return isNew ? undefined : last;
  }

  #open(index: number, isGiven: boolean): OpenCall {
    if (isGiven && this.#calls.some((call) => call.index === index)) this.#deviations.add("reused-index");
    const call = { index, id: "", name: "", arguments: "" };
    this.#calls.push(call);
    return call;
  }

  /** The id of the call at that position, from 0, of an answer. */
  makeId(position: number): string {
    return `${this.#idPrefix}_${position + 1}`;
  }

  /** The calls in the order in which they began; empty arguments read `{}`, ids are unique. */
  finish(): ToolCall[] {
    const used = new Set<string>();
    return this.#calls.map((call, place) => {
      if (call.id === "") this.#deviations.add("missing-id");
      if (used.has(call.id)) this.#deviations.add("duplicate-id");
      if (call.arguments.trim() === "") this.#deviations.add("empty-arguments");
      const id = call.id === "" || used.has(call.id) ? this.makeId(place) : call.id;
      used.add(id);
      return { id, name: call.name, arguments: call.arguments.trim() === "" ? "{}" : call.arguments };
    });
  }
}

/** Whether a JSON text stops in the middle: inside a string or before a closing bracket. */
export function isCutOff(text: string): boolean {
  if (parseJson(text) !== undefined) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (inString) {
      if (char === "\\") at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") depth++;
    else if (char === "}" || char === "]") depth--;
  }
  return inString || depth > 0;
}
