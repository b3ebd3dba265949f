import "server-only";
import { mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { parseAllowList } from "./net/allow-list";

const text = z
  .string()
  .trim()
  .optional()
  .transform((value) => (value === "" ? undefined : value));

/** Hosts that http_request reaches although their addresses are not public. */
const allowList = text.transform((value = "", context) => {
  try {
    return parseAllowList(value);
  } catch (error) {
    context.issues.push({ code: "custom", input: value, message: error instanceof Error ? error.message : "" });
    return z.NEVER;
  }
});

/** A folder that exists, made absolute. */
const folder = text.transform((value, context) => {
  if (value === undefined) return undefined;
  const absolute = path.resolve(/* turbopackIgnore: true */ process.cwd(), value);
  if (statSync(/* turbopackIgnore: true */ absolute, { throwIfNoEntry: false })?.isDirectory()) return absolute;
  context.issues.push({ code: "custom", input: value, message: `expected a folder that exists, found ${absolute}` });
  return z.NEVER;
});

/** `openai=8/500, anthropic=4`: for each provider calls at the same time, and calls a minute behind a slash. */
const providerLimits = text.transform((value = "", context) => {
  const limits = new Map<string, { concurrency?: number | undefined; perMinute?: number | undefined }>();
  for (const part of value.split(",").filter((one) => one.trim() !== "")) {
    const found = /^\s*(\w+)\s*=\s*(\d{1,6})?\s*(?:\/\s*(\d{1,6}))?\s*$/.exec(part);
    const [, id, concurrency, perMinute] = found ?? [];
    const numbers = [concurrency, perMinute].flatMap((number) => (number === undefined ? [] : [Number(number)]));
    if (id === undefined || numbers.length === 0 || numbers.some((number) => number < 1)) {
      const message = `expected e.g. openai=8/500 (8 at the same time, 500 a minute), found "${part.trim()}"`;
      context.issues.push({ code: "custom", input: value, message });
      return z.NEVER;
    }
    limits.set(id, {
      concurrency: concurrency === undefined ? undefined : Number(concurrency),
      perMinute: perMinute === undefined ? undefined : Number(perMinute),
    });
  }
  return limits;
});

/** What a token consists of: it travels in a header, in an address and in a file. */
const token = text.pipe(
  z
    .string()
    .regex(/^[\w.~-]{16,200}$/, "expected 16 to 200 letters, digits, and characters of . _ ~ -")
    .optional(),
);

const searchServices = ["tavily", "brave", "searxng"] as const;

const envSchema = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().trim().min(1).default("127.0.0.1"),
  SWARMLOOM_DATA: z.string().trim().min(1).default("./data"),
  DATABASE_URL: text,
  /** Demanded of every page and API call; without it every program of this machine is the viewer. */
  SWARMLOOM_TOKEN: token,
  /** Factor on the speed of simulated answers; 0 takes no time at all. */
  SWARMLOOM_DEMO_SPEED: z.coerce.number().min(0).max(1000).default(1),
  /** Runs that are driven at the same time; more wait their turn. */
  SWARMLOOM_CONCURRENCY: z.coerce.number().int().min(1).max(1000).default(16),
  /** How much each provider is asked at most. */
  SWARMLOOM_LIMITS: providerLimits,
  /** The model of agents that are made without one being named, e.g. by POST /api/v1/orchestrate. */
  SWARMLOOM_MODEL: text,
  OPENAI_API_KEY: text,
  OPENAI_BASE_URL: text,
  ANTHROPIC_API_KEY: text,
  ANTHROPIC_BASE_URL: text,
  GEMINI_API_KEY: text,
  GOOGLE_GEMINI_BASE_URL: text,
  COMPATIBLE_BASE_URL: text,
  COMPATIBLE_API_KEY: text,
  /** Who is asked by web_search; without it the first one that is set up. */
  SWARMLOOM_SEARCH: text.pipe(z.enum(searchServices).optional()),
  TAVILY_API_KEY: text,
  TAVILY_BASE_URL: text,
  BRAVE_API_KEY: text,
  BRAVE_BASE_URL: text,
  SEARXNG_URL: text,
  SWARMLOOM_HTTP_ALLOW: allowList,
  /** The folder that file tools may touch; without it they are off. */
  SWARMLOOM_WORKSPACE: folder,
  /** `1`: the pages that the editor is measured on answer; else they do not exist. */
  SWARMLOOM_BENCH: z.enum(["0", "1"]).default("0"),
  PATH: text,
});

export type Env = z.infer<typeof envSchema>;

let cached: Env | undefined;

/** The environment, checked. Throws a sentence that names the variable when one cannot be used. */
export function getEnv(): Env {
  if (cached) return cached;
  const result = envSchema.safeParse(process.env);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new Error(`The environment variable ${issue?.path.join(".")} cannot be used: ${issue?.message}.`);
  }
  cached = result.data;
  return cached;
}

/** Sets the token of this process and of those that it starts. */
export function setToken(value: string): void {
  process.env.SWARMLOOM_TOKEN = value;
  cached = undefined;
}

/** Whether this is `next dev`. */
export const isDevelopment = (): boolean => process.env.NODE_ENV === "development";

/** Names of variables whose values may go out in headers of sent traces; no other secret can be named. */
export const traceVariable = /^SWARMLOOM_OTLP_[A-Z0-9_]{1,80}$/;

/** The value of such a variable; undefined when it is not set. Throws for any other name. */
export function getTraceVariable(name: string): string | undefined {
  if (!traceVariable.test(name)) throw new Error(`expected a variable named SWARMLOOM_OTLP_…, found "${name}"`);
  return process.env[name]?.trim() || undefined;
}

/** The folder in which the server keeps what it stores, made absolute. */
export const getDataFolder = (): string =>
  path.resolve(/* turbopackIgnore: true */ process.cwd(), getEnv().SWARMLOOM_DATA);

/** Path of the SQLite file; its folder exists afterwards. */
export function getDatabaseFile(): string {
  const url = getEnv().DATABASE_URL ?? `file:${path.join(getDataFolder(), "swarmloom.db")}`;
  if (!url.startsWith("file:"))
    throw new Error(
      `DATABASE_URL is ${url.split(":")[0]}:…; this version stores its data in SQLite. Expected file:<path>, e.g. file:./data/swarmloom.db.`,
    );
  const file = path.resolve(/* turbopackIgnore: true */ process.cwd(), url.slice("file:".length));
  mkdirSync(/* turbopackIgnore: true */ path.dirname(file), { recursive: true, mode: 0o700 });
  return file;
}

/** The folder of a checkout or installation: every command and the server start in it. */
export const getProjectFolder = (): string => process.cwd();
