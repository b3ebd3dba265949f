import "server-only";
import type { Json } from "@/lib/core/flow/flow";
import { isObject, type JsonObject, textOf } from "../json";

/** The names under which servers send what a model thought, as text. */
const names = ["reasoning_content", "reasoning"] as const;

/** The texts of a list of parts; `thinking` in a part is no text. */
const readParts = (parts: readonly Json[], key: "text" | "thinking"): string =>
  parts
    .filter(isObject)
    .map((part) => (key === "text" ? (textOf(part.text) ?? "") : readThinking(part)))
    .join("");

function readThinking({ thinking }: JsonObject): string {
  if (Array.isArray(thinking)) return readParts(thinking, "text");
  return textOf(thinking) ?? "";
}

/** The text of `content`: a text, or a list of parts as Mistral and vLLM send it. Undefined: there is none. */
export function readContent(content: Json | undefined): string | undefined {
  return textOf(Array.isArray(content) ? readParts(content, "text") : content);
}

/**
 * What a model thought, put together from the pieces of a stream under the names that its server uses: DeepSeek, Kimi and
 * others refuse a conversation without it.
 */
export class ChatReasoning {
  readonly #texts = new Map<string, string>();
  /** Of `reasoning_details`, by OpenRouter: https://openrouter.ai/docs/use-cases/reasoning-tokens */
  readonly #details: JsonObject[] = [];

  /** Returns the thinking in one delta, "" for none. */
  read(delta: JsonObject): string {
    if (Array.isArray(delta.reasoning_details)) for (const detail of delta.reasoning_details) this.#addDetail(detail);
    const pieces = names.flatMap((name) => {
      const text = textOf(delta[name]);
      if (text !== undefined) this.#texts.set(name, (this.#texts.get(name) ?? "") + text);
      return text ?? [];
    });
    return pieces[0] ?? (Array.isArray(delta.content) ? readParts(delta.content, "thinking") : "");
  }

  /** Pieces of one text have the same index; what is signed or encrypted comes in one piece. */
  #addDetail(detail: Json): void {
    if (!isObject(detail)) return;
    const last = this.#details.at(-1);
    if (last?.type === detail.type && last?.index === detail.index)
      this.#details[this.#details.length - 1] = join(last, detail);
    else this.#details.push(detail);
  }

  /** The fields of the message that go back; null: the model did not think, or its server has no name for it. */
  toFields(): JsonObject | null {
    if (this.#details.length > 0) return { reasoning_details: this.#details };
    return this.#texts.size > 0 ? Object.fromEntries(this.#texts) : null;
  }
}

/** The second of two pieces of one detail may lack what the first one has. */
function join(first: JsonObject | undefined, second: JsonObject): JsonObject {
  const joined = Object.entries(second).map(([key, value]): [string, Json] => {
    const before = first?.[key];
    const isText = key === "text" || key === "summary" || key === "data";
    if (isText && typeof before === "string" && typeof value === "string") return [key, before + value];
    return [key, value ?? before ?? null];
  });
  return { ...first, ...Object.fromEntries(joined) };
}
