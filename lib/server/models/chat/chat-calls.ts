import "server-only";
import type { Json } from "@/lib/core/flow/flow";
import type { ToolCall } from "@/lib/core/run/events/messages";
import { assertArgumentsLength } from "../call/answer-limits";
import type { Deviations } from "../call/deviations";
import { isObject, type JsonObject, parseJson, textOf } from "../json";

interface OpenChatCall {
  index: number;
  id: string;
  name: string;
  arguments: string;
}

/**
 * Puts tool calls together from the pieces of a stream, whatever numbering a server uses: pieces belong together by
 * index and id; a new id at a used index, or a name after complete arguments, begins a new call; a missing index is
 * the place in the piece's own list; a missing id is made up.
 */
export class CallCollector {
  readonly #calls: OpenChatCall[] = [];

  /** `idPrefix` keeps made-up ids apart from those of earlier turns; what is corrected is added to `deviations`. */
  constructor(
    private readonly idPrefix: string,
    private readonly deviations: Deviations,
  ) {}

  /** Reads the `tool_calls` of one delta, or with `isWhole` of a message, where calls have no index. */
  add(deltas: Json | undefined, isWhole: boolean): void {
    if (!Array.isArray(deltas)) return;
    for (const [position, delta] of deltas.entries()) {
      if (!isObject(delta)) continue;
      if (!isWhole && typeof delta.index !== "number") this.deviations.add("missing-index");
      this.#addPiece(delta, position);
    }
  }

  #addPiece(delta: JsonObject, position: number): void {
    const called = isObject(delta.function) ? delta.function : delta;
    const id = textOf(delta.id) ?? "";
    const name = textOf(called.name) ?? "";
    const index = typeof delta.index === "number" ? delta.index : position;
    const call = this.#find(index, id, name) ?? this.#open(index, typeof delta.index === "number");
    call.id ||= id;
    call.name ||= name;
    const argumentsDelta = called.arguments;
    if (typeof argumentsDelta === "string") call.arguments += argumentsDelta;
    else if (isObject(argumentsDelta)) {
      this.deviations.add("object-arguments");
      call.arguments = JSON.stringify(argumentsDelta);
    }
    assertArgumentsLength(call.arguments.length);
  }

  /** The call that a piece goes on with, or undefined when it begins a new one. */
  #find(index: number, id: string, name: string): OpenChatCall | undefined {
    const last = this.#calls.findLast((call) => call.index === index);
    if (!last) return undefined;
    if (id !== "" && last.id !== "") return id === last.id ? last : this.#calls.find((call) => call.id === id);
    const isNew = name !== "" && (parseJson(last.arguments) !== undefined || (last.name !== "" && name !== last.name));
    return isNew ? undefined : last;
  }

  #open(index: number, isGiven: boolean): OpenChatCall {
    if (isGiven && this.#calls.some((call) => call.index === index)) this.deviations.add("reused-index");
    const call = { index, id: "", name: "", arguments: "" };
    this.#calls.push(call);
    return call;
  }

  /** The id of the call at that position, from 0, of an answer. */
  makeId(position: number): string {
    return `${this.idPrefix}_${position + 1}`;
  }

  /** The calls in the order in which they began; empty arguments read `{}`, ids are unique. */
  finish(): ToolCall[] {
    const used = new Set<string>();
    return this.#calls.map((call, position) => {
      if (call.id === "") this.deviations.add("missing-id");
      if (used.has(call.id)) this.deviations.add("duplicate-id");
      if (call.arguments.trim() === "") this.deviations.add("empty-arguments");
      const id = call.id === "" || used.has(call.id) ? this.makeId(position) : call.id;
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
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index);
    if (inString) {
      if (char === "\\") index++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") depth++;
    else if (char === "}" || char === "]") depth--;
  }
  return inString || depth > 0;
}
