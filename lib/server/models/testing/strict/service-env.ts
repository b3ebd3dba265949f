import "server-only";
import type { Env } from "../../../env";
import type { StrictService } from "./strict-server";

const keys = { openai: "OPENAI", anthropic: "ANTHROPIC", google: "GEMINI", compatible: "COMPATIBLE" } as const;
const addresses = { ...keys, google: "GOOGLE_GEMINI" } as const;

/** The environment in which a service is asked at this address. */
export const toServiceEnv = ({ provider }: StrictService, url: string): Partial<Env> => ({
  [`${keys[provider]}_API_KEY`]: "sk-strict-0123456789",
  [`${addresses[provider]}_BASE_URL`]: url,
});
