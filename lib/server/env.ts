import "server-only";
import { mkdirSync, realpathSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { z } from "zod";
import { runLimitsSchema } from "@/lib/core/flow/schemas/flow-schemas";
import { nearest } from "@/lib/core/flow/suggest-name";
import { isEveryAddress } from "./auth/loopback";
import type { ProviderLimits } from "./models/limiter";
import { parseAllowList } from "./net/allow-list";
import { parseNetworks } from "./net/networks";
import { approvableTools } from "./tools/tool-names";
import { findInstallation, findWorkspaceMistake } from "./workspace-folder";

const text = z
  .string()
  .trim()
  .optional()
  .transform((value) => (value === "" ? undefined : value));

/** `read` as a transformation of a schema: the message of an error that it throws becomes the issue. */
export const orIssue =
  <Input, Output>(read: (value: Input) => Output) =>
  (value: Input, context: z.RefinementCtx<Input>): Output => {
    try {
      return read(value);
    } catch (error) {
      context.issues.push({ code: "custom", input: value, message: error instanceof Error ? error.message : "" });
      return z.NEVER;
    }
  };

/** Hosts that are reached although their addresses are not public. */
const allowList = text.transform(orIssue((value = "") => parseAllowList(value)));

/** A folder that exists, as an absolute path without links. */
const folder = text.transform(
  orIssue((value) => {
    if (value === undefined) return undefined;
    const absolute = toAbsolute(value);
    if (!statSync(/* turbopackIgnore: true */ absolute, { throwIfNoEntry: false })?.isDirectory())
      throw new Error(`expected a folder that exists, found ${absolute}`);
    return realpathSync.native(/* turbopackIgnore: true */ absolute);
  }),
);

/** `openai=8/500, anthropic=4`: for each provider calls at the same time, and calls per minute after a slash. */
const providerLimits = text.transform(
  orIssue(
    (value = "") =>
      new Map(
        value
          .split(",")
          .filter((entry) => entry.trim() !== "")
          .map(readLimits),
      ),
  ),
);

function readLimits(entry: string): [provider: string, limits: ProviderLimits] {
  const [, id, ...digits] = /^\s*(\w+)\s*=\s*(\d{1,6})?\s*(?:\/\s*(\d{1,6}))?\s*$/.exec(entry) ?? [];
  const [concurrency, perMinute] = digits.map((number) => (number === undefined ? undefined : Number(number)));
  if (id === undefined || (concurrency ?? perMinute) === undefined || concurrency === 0 || perMinute === 0)
    throw new Error(`expected e.g. openai=8/500 (8 at the same time, 500 a minute), found "${entry.trim()}"`);
  return [id, { concurrency, perMinute }];
}

interface NumberOptions {
  min: number;
  max: number;
  usual: number;
  fraction?: boolean;
}

/** A number in decimal digits; the message of a wrong one shows what was found. */
const number = ({ min, max, usual, fraction = false }: NumberOptions) =>
  text.transform(
    orIssue((value) => {
      if (value === undefined) return usual;
      const parsed = Number(value);
      const isWritten = /^\d{1,15}(?:\.\d{1,15})?$/.test(value) && (fraction || Number.isInteger(parsed));
      if (isWritten && parsed >= min && parsed <= max) return parsed;
      const kind = fraction ? "a number" : "a whole number";
      throw new Error(`expected ${kind} from ${min} to ${max}, found "${value.slice(0, 40)}"`);
    }),
  );

/** `http_request, file_write`: names of tools. An unknown one would protect nothing, so it is refused. */
const toolList = text.transform(
  orIssue((value = "") => {
    const names = value.split(/[\s,]+/).filter((name) => name !== "");
    const unknown = names.find((name) => !approvableTools.some((tool) => tool === name));
    if (unknown === undefined) return new Set(names);
    const near = nearest(unknown, approvableTools);
    const hint = near === null ? `there are: ${approvableTools.join(", ")}` : `did you mean "${near}"?`;
    throw new Error(`expected names of tools, found "${unknown}"; ${hint}`);
  }),
);

/** A number above 0; nothing sets no ceiling. */
const ceiling = (schema: (typeof runLimitsSchema.shape)[keyof typeof runLimitsSchema.shape]) =>
  text.transform((value) => (value === undefined ? undefined : Number(value))).pipe(schema);

/** What a token consists of: it travels in a header, in an address and in a file. */
const token = text.pipe(
  z
    .string()
    .regex(/^[\w.~-]{16,200}$/, "expected 16 to 200 letters, digits, and characters of . _ ~ -")
    .optional(),
);

/** The address under which users reach this server: scheme, host and port. */
const ownUrl = text.transform(
  orIssue((value) => {
    if (value === undefined) return undefined;
    const url = URL.canParse(value) ? new URL(value) : null;
    if (
      url === null ||
      !/^https?:$/.test(url.protocol) ||
      !/^\/?$/.test(url.pathname) ||
      url.search ||
      url.hash ||
      url.username
    )
      throw new Error(`expected e.g. https://flows.example.org, without a path, found "${value.slice(0, 100)}"`);
    return url.origin;
  }),
);

/** An address of a server, with its path. */
const serverUrl = text.transform(
  orIssue((value) => {
    if (value !== undefined && !URL.canParse(value)) throw new Error(`expected a URL, found "${value.slice(0, 100)}"`);
    return value;
  }),
);

const flag = z.enum(["0", "1"]).default("0");

/** What keys are sealed with. */
const secret = text.pipe(z.string().min(16, "expected at least 16 characters").max(1000).optional());

const variables = z.object({
  PORT: number({ min: 0, max: 65_535, usual: 3000 }),
  HOST: z.string().trim().min(1).default("127.0.0.1"),
  SWARMLOOM_DATA: z.string().trim().min(1).default("./data"),
  DATABASE_URL: text,
  /** Demanded of every page and API call; without it every program of this machine is the viewer. */
  SWARMLOOM_TOKEN: token,
  /** The address of this server for its users. Setting it turns accounts on, as an address in HOST that is not loopback does. */
  SWARMLOOM_URL: ownUrl,
  /** `1`: everyone who reaches this server may create an account, and gets a team. */
  SWARMLOOM_OPEN_SIGN_UP: flag,
  /** Where mail is sent, as in smtp://user:password@mail.example.org:587, and in whose name. */
  SWARMLOOM_SMTP_URL: serverUrl,
  SWARMLOOM_MAIL_FROM: text,
  /** Signing in with accounts of GitHub, and of a provider of OpenID Connect. */
  SWARMLOOM_GITHUB_CLIENT_ID: text,
  SWARMLOOM_GITHUB_CLIENT_SECRET: text,
  SWARMLOOM_OIDC_ISSUER: serverUrl,
  SWARMLOOM_OIDC_CLIENT_ID: text,
  SWARMLOOM_OIDC_CLIENT_SECRET: text,
  /** What the button to sign in with it is called. */
  SWARMLOOM_OIDC_NAME: z.string().trim().min(1).max(40).default("single sign-on"),
  /** `1`: every team uses the keys, addresses and files that are set here, not only the first. */
  SWARMLOOM_SHARE_ENVIRONMENT: flag,
  /** Seals the keys that are entered in the app; without it one is made, and kept in the data folder. */
  SWARMLOOM_SECRET: secret,
  /** The secret before that one, until `swarmloom rotate-secret` has sealed everything anew. */
  SWARMLOOM_OLD_SECRET: secret,
  /** Factor on the speed of simulated answers; 0 takes no time at all. */
  SWARMLOOM_DEMO_SPEED: number({ min: 0, max: 1000, usual: 1, fraction: true }),
  /** Runs that are driven at the same time; more wait their turn. */
  SWARMLOOM_CONCURRENCY: number({ min: 1, max: 1000, usual: 16 }),
  /** Runs of one team that are driven at the same time, by all processes; missing: any number. */
  SWARMLOOM_TEAM_CONCURRENCY: text
    .transform((value) => (value === undefined ? undefined : Number(value)))
    .pipe(z.number("expected a whole number from 1 to 100000").int().min(1).max(100_000).optional()),
  /** Requests of one user, API key or address in a minute; 0: any number. The person of local mode has no such limit. */
  SWARMLOOM_RATE_LIMIT: number({ min: 0, max: 1_000_000, usual: 600 }),
  /** Addresses and networks of proxies, whose `X-Forwarded-For` names the client; those of this machine are some in any case. */
  SWARMLOOM_TRUSTED_PROXIES: text.transform(orIssue((value) => parseNetworks(value ?? ""))),
  /** Runs that one user or API key starts in a minute; 0: any number. */
  SWARMLOOM_RATE_LIMIT_RUNS: number({ min: 0, max: 1_000_000, usual: 60 }),
  /** Runs that may wait for their turn; more are refused. */
  SWARMLOOM_MAX_WAITING: number({ min: 1, max: 1_000_000, usual: 1_000 }),
  /** Longest text, and longest reasoning, of one answer of a model, in millions of characters. */
  SWARMLOOM_MAX_ANSWER: number({ min: 0.001, max: 100, usual: 4, fraction: true }),
  /** Model calls of one run at the same time; more wait their turn. */
  SWARMLOOM_RUN_CONCURRENCY: number({ min: 1, max: 10_000, usual: 16 }),
  /** What no run may exceed, whatever its flow allows: US dollars, tokens, seconds. */
  SWARMLOOM_MAX_COST: ceiling(runLimitsSchema.shape.max_cost),
  SWARMLOOM_MAX_TOKENS: ceiling(runLimitsSchema.shape.max_tokens),
  SWARMLOOM_MAX_SECONDS: ceiling(runLimitsSchema.shape.max_seconds),
  /** For how many seconds a run may work. Waiting for a person, for its turn or while paused does not count. */
  SWARMLOOM_MAX_WORK_SECONDS: number({ min: 1, max: 31_536_000, usual: 86_400 }),
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
  SWARMLOOM_SEARCH: text.pipe(z.enum(["tavily", "brave", "searxng"]).optional()),
  TAVILY_API_KEY: text,
  TAVILY_BASE_URL: text,
  BRAVE_API_KEY: text,
  BRAVE_BASE_URL: text,
  SEARXNG_URL: text,
  /** For http_request, which agents call. */
  SWARMLOOM_HTTP_ALLOW: allowList,
  /** For the collector that traces are sent to; agents reach none of them. */
  SWARMLOOM_TRACE_ALLOW: allowList,
  /** Tools that wait for a person's approval in every flow. */
  SWARMLOOM_APPROVE: toolList,
  /** The folder that file tools may touch; without it they are off. */
  SWARMLOOM_WORKSPACE: folder,
  /** A folder in which each team gets one of its own for its file tools; the first team where SWARMLOOM_WORKSPACE is unset. */
  SWARMLOOM_TEAM_WORKSPACES: folder,
  /** `1`: the pages that the editor is measured on answer; else they do not exist. */
  SWARMLOOM_BENCH: flag,
  PATH: text,
  /** Which script npm started this process for. */
  npm_lifecycle_event: text,
});

/** What sends people to links of this server, from mails and from other sites. */
const linkVariables = ["SWARMLOOM_SMTP_URL", "SWARMLOOM_GITHUB_CLIENT_ID", "SWARMLOOM_OIDC_ISSUER"] as const;

const envSchema = variables.superRefine((env, context) => {
  const linking = linkVariables.find((name) => env[name] !== undefined);
  if (linking !== undefined && env.SWARMLOOM_URL === undefined && isEveryAddress(env.HOST)) {
    const message = `it needs links to this server, and HOST=${env.HOST} is no address that users can open; set SWARMLOOM_URL, e.g. SWARMLOOM_URL=http://192.168.1.5:${env.PORT}`;
    context.addIssue({ code: "custom", path: [linking], message });
  }
  for (const name of ["SWARMLOOM_WORKSPACE", "SWARMLOOM_TEAM_WORKSPACES"] as const) {
    const workspace = env[name];
    if (workspace === undefined) continue;
    const message = findWorkspaceMistake(workspace, {
      home: os.homedir(),
      installation: findInstallation(getProjectFolder()),
      data: toAbsolute(env.SWARMLOOM_DATA),
      database: findDatabaseFile(env),
    });
    if (message !== null) context.addIssue({ code: "custom", path: [name], message });
  }
});

export type Env = z.infer<typeof envSchema>;

/** A variable that cannot be used; the message is one sentence that names it. */
export class EnvironmentError extends Error {
  override name = "EnvironmentError";
}

let cached: Env | undefined;

/** The environment, checked. Throws EnvironmentError. */
export function getEnv(): Env {
  if (cached) return cached;
  const result = envSchema.safeParse(process.env);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new EnvironmentError(`The environment variable ${issue?.path.join(".")} cannot be used: ${issue?.message}.`);
  }
  cached = result.data;
  return cached;
}

/** Tells this process which port it listens on, also where 0 left the choice. */
export function setPort(port: number): void {
  process.env.PORT = String(port);
}

/** The port on which this process serves. */
export const getOwnPort = (): number => Number(process.env.PORT) || getEnv().PORT;

/** Sets the token of this process and of those that it starts. */
export function setToken(value: string): void {
  process.env.SWARMLOOM_TOKEN = value;
  cached = undefined;
}

/** Names of variables whose values may go out in headers of sent traces; no other secret can be named. */
export const traceVariable = /^SWARMLOOM_OTLP_[A-Z0-9_]{1,80}$/;

/** The value of such a variable; undefined when it is not set. Throws for any other name. */
export function getTraceVariable(name: string): string | undefined {
  if (!traceVariable.test(name)) throw new Error(`expected a variable named SWARMLOOM_OTLP_…, found "${name}"`);
  return process.env[name]?.trim() || undefined;
}

/** The folder in which the server keeps what it stores, made absolute. */
export const getDataFolder = (): string => toAbsolute(getEnv().SWARMLOOM_DATA);

const secretVariable = /(?:KEY|TOKEN|SECRET|PASSWORD)$|^SWARMLOOM_OTLP_/;

/** Values of variables that hold secrets. */
export const listEnvironmentSecrets = (): string[] => [
  ...Object.entries(process.env).flatMap(([name, value]) => (secretVariable.test(name) && value ? [value.trim()] : [])),
  ...listUrlPasswords(),
];

const listUrlPasswords = (): string[] => ["DATABASE_URL", "SWARMLOOM_SMTP_URL"].flatMap(listPasswords);

/** The password in the address of a variable, as it is and as the address has it. */
function listPasswords(variable: string): string[] {
  const url = process.env[variable]?.trim() ?? "";
  const password = URL.canParse(url) ? new URL(url).password : "";
  if (password === "") return [];
  try {
    return [...new Set([password, decodeURIComponent(password)])];
  } catch {
    return [password];
  }
}

const keyVariables = [
  "OPENAI_API_KEY",
  "ANTHROPIC_API_KEY",
  "GEMINI_API_KEY",
  "COMPATIBLE_API_KEY",
  "TAVILY_API_KEY",
  "BRAVE_API_KEY",
  "SWARMLOOM_TOKEN",
  "SWARMLOOM_SECRET",
  "SWARMLOOM_OLD_SECRET",
  "SWARMLOOM_GITHUB_CLIENT_SECRET",
  "SWARMLOOM_OIDC_CLIENT_SECRET",
];

/** Values of variables that hold keys of providers, or secrets of this server. */
export const listEnvironmentKeys = (): string[] => [
  ...keyVariables.flatMap((name) => process.env[name]?.trim() || []),
  ...listUrlPasswords(),
];

/** Gives Next the configuration of a build in JSON, as the server of its standalone output does: it reads and checks none itself. */
export function setNextConfig(config: string): void {
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = config;
}

/** The environment of a build for which next.config.js checks no types. */
export const getQuickBuildEnv = (): NodeJS.ProcessEnv => ({ ...process.env, SWARMLOOM_BUILD_TYPES: "0" });

const toAbsolute = (file: string): string => path.resolve(/* turbopackIgnore: true */ process.cwd(), file);

type DatabaseEnv = Pick<z.infer<typeof variables>, "DATABASE_URL" | "SWARMLOOM_DATA">;

const databaseUrl = ({ DATABASE_URL, SWARMLOOM_DATA }: DatabaseEnv): string =>
  DATABASE_URL ?? `file:${path.join(SWARMLOOM_DATA, "swarmloom.db")}`;

/** Path of the SQLite file; undefined where the database is none. */
function findDatabaseFile(env: DatabaseEnv): string | undefined {
  const url = databaseUrl(env);
  return url.startsWith("file:") ? toAbsolute(url.slice("file:".length)) : undefined;
}

/** Where the data is: a SQLite file, or a database on a PostgreSQL server. */
export type DatabaseLocation = { type: "sqlite"; file: string } | { type: "postgresql"; url: string };

/** Where DATABASE_URL says that the data is; the folder of a file exists afterwards. Throws EnvironmentError, which quotes nothing of an address. */
export function getDatabaseLocation(): DatabaseLocation {
  const env = getEnv();
  const file = findDatabaseFile(env);
  if (file !== undefined) {
    mkdirSync(/* turbopackIgnore: true */ path.dirname(file), { recursive: true, mode: 0o700 });
    return { type: "sqlite", file };
  }
  const url = databaseUrl(env);
  if (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)) return { type: "postgresql", url };
  throw new EnvironmentError(
    `DATABASE_URL is ${url.split(":")[0]?.slice(0, 20)}:…, which cannot be used. Expected file:<path>, e.g. file:./data/swarmloom.db, or postgresql://<user>:<password>@<host>/<database>.`,
  );
}

/** Path of the SQLite file; its folder exists afterwards. Throws EnvironmentError, also where the data is in PostgreSQL. */
export function getDatabaseFile(): string {
  const location = getDatabaseLocation();
  if (location.type === "sqlite") return location.file;
  throw new EnvironmentError("DATABASE_URL is an address of PostgreSQL, and this needs the file of SQLite.");
}

/** The folder of a checkout or installation: every command and the server start in it. */
export const getProjectFolder = (): string => process.cwd();
