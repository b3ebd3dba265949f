import * as z from "zod/mini";
import { fetchJson, fetchText } from "@/app/_ui/loading/fetch-json";
import type { Permission } from "@/lib/server/auth/permissions";
import type { KeyDetail } from "@/lib/server/keys/key-setting";
import { scopeWords } from "./scope-words";

const address = "/api/v1/keys";

const isScope = (text: string): text is Permission => text in scopeWords;
const scopeSchema = z.pipe(z.string().check(z.refine(isScope)), z.custom<Permission>());

const keysSchema: z.ZodMiniType<{ keys: KeyDetail[] }> = z.object({
  keys: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      scopes: z.array(scopeSchema),
      lastFour: z.string(),
      createdBy: z.string(),
      createdAt: z.number(),
      expiresAt: z.nullable(z.number()),
      lastUsedAt: z.nullable(z.number()),
    }),
  ),
});
const createdSchema = z.object({ id: z.string(), secret: z.string() });

export interface CreatedKey {
  name: string;
  secret: string;
}

export const requestKeys = async (): Promise<KeyDetail[]> => (await fetchJson(address, keysSchema)).keys;

export async function createKey(json: {
  name: string;
  scopes: readonly Permission[];
  expiresAt?: string | undefined;
}): Promise<CreatedKey> {
  const { secret } = await fetchJson(address, createdSchema, { json });
  return { name: json.name, secret };
}

export const revokeKey = (id: string): Promise<string> => fetchText(`${address}/${id}`, { method: "DELETE" });
