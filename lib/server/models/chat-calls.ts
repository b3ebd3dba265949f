import "server-only";
import type { Json } from "@/lib/core/flow/flow";
import type { ToolCall } from "@/lib/core/run/messages";
import { assertArgumentsLength } from "./answer-limits";
import { isObject, type JsonObject, parseJson, textOf } from "./json";

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

  /** `idPrefix` keeps made-up ids apart from those of earlier turns. */
  constructor(idPrefix: string) {
    this.#idPrefix = idPrefix;
  }

  /** Reads the `tool_calls` of one delta, or of a whole message. */
  add(pieces: Json | undefined): void {
    if (!Array.isArray(pieces)) return;
    for (const [position, piece] of pieces.entries()) if (isObject(piece)) this.#addPiece(piece, position);
  }

  #addPiece(piece: JsonObject, position: number): void {
    const called = isObject(piece.function) ? piece.function : piece;
    const id = textOf(piece.id) ?? "";
    const name = textOf(called.name) ?? "";
    const index = typeof piece.index === "number" ? piece.index : position;
    const call = this.#find(index, id, name) ?? this.#open(index);
    call.id ||= id;
    call.name ||= name;
    const given = called.arguments;
    if (typeof given === "string") call.arguments += given;
    else if (isObject(given)) call.arguments = JSON.stringify(given);
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

  #open(index: number): OpenCall {
    const call = { index, id: "", name: "", arguments: "" };
    this.#calls.push(call);
    return call;
  }

  /** The calls in the order in which they began; empty arguments read `{}`, ids are unique. */
  finish(): ToolCall[] {
    const used = new Set<string>();
    return this.#calls.map((call, place) => {
      const id = call.id === "" || used.has(call.id) ? `${this.#idPrefix}_${place + 1}` : call.id;
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
