import "server-only";
import { readCapped } from "../../net/read-capped";
import { isObject, parseJson, textOf } from "../json";
import type { ProviderConnection } from "./call";
import { describeRefusal } from "./refusal";
import { redactedWire, type Wire } from "./wire";

/** How a provider lists its models: the address and what names the caller. */
export interface ModelListRequest {
  url: string;
  headers: Record<string, string>;
}

export type ModelList =
  | { type: "listed"; models: string[] /** Who made the server, as it declares itself. */; owner?: string }
  | { type: "refused"; status: number; message: string };

/** How much of a list is read, in bytes. */
const longestList = 2_000_000;
const mostModels = 500;

/**
 * The models that a server declares, in its order. Asks once, through the connections that model calls use.
 * @throws Error when there is no answer; it contains no key.
 */
export async function listModels(
  { url, headers }: ModelListRequest,
  connection: ProviderConnection,
  signal: AbortSignal,
): Promise<ModelList> {
  const wire: Wire = redactedWire(connection, signal);
  const {
    statusCode: status,
    statusText,
    headers: answered,
    body,
  } = await wire.request(url, { method: "GET", headers });
  const { bytes } = await readCapped(body, longestList);
  const text = new TextDecoder().decode(bytes);
  if (status >= 200 && status < 300) {
    const list = readList(text);
    return (
      list ?? { type: "refused", status, message: "The server answered with something else than a list of models." }
    );
  }
  const retry = answered["retry-after"];
  const answerHeaders = new Headers(typeof retry === "string" ? { "retry-after": retry } : {});
  const refusal = describeRefusal({ status, statusText, headers: answerHeaders, text: wire.hide(text) });
  return { type: "refused", status, message: wire.clean(refusal).message.slice(0, 500) };
}

/** `{data: [{id}]}` of OpenAI and Anthropic, `{models: [{name}]}` of Google. */
function readList(text: string): ModelList | null {
  const body = parseJson(text);
  if (!isObject(body)) return null;
  const entries = [body.data, body.models].find((list) => Array.isArray(list));
  if (!Array.isArray(entries)) return null;
  const named = entries.filter(isObject);
  const models = named.flatMap(({ id, name }) => textOf(id) ?? textOf(name)?.replace(/^models\//, "") ?? []);
  const owner = named.map(({ owned_by }) => textOf(owned_by)).find((text) => text !== undefined);
  return { type: "listed", models: models.slice(0, mostModels), ...(owner !== undefined && { owner }) };
}
