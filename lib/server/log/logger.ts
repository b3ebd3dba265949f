import "server-only";
import pino, { type DestinationStream } from "pino";
import { z } from "zod";
import { redact, withoutQuotedJson } from "./redact";
import { listSecrets } from "./secrets";

declare global {
  /** Where the log of this process goes; standard output until a log is opened. Global because all bundles of a process share it. */
  var swarmloomLog: DestinationStream | undefined;
}

const standardOutput = pino.destination({ fd: 1, sync: true });

/**
 * One JSON line an event. Never give it a key or a prompt. Of an error it takes name, message, stack, code and cause,
 * not the other fields: those of a provider's error hold the request.
 */
export const logger = pino(
  { name: "swarmloom", level: "info", serializers: { err: (error: unknown) => describeError(error) } },
  { write: (line) => (globalThis.swarmloomLog ?? standardOutput).write(removeSecrets(line)) },
);

const maxText = 4_000;

interface ErrorDescription {
  type: string;
  message: string;
  stack?: string;
  code?: string;
  cause?: ErrorDescription;
}

function describeError(error: unknown, depth = 0): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error).slice(0, maxText) };
  const message = readMessage(error);
  return {
    type: error.name,
    message: message.slice(0, maxText),
    ...(error.stack && { stack: error.stack.replace(error.message, () => message).slice(0, maxText) }),
    ...("code" in error && { code: String(error.code) }),
    ...(error.cause !== undefined && depth < 3 && { cause: describeError(error.cause, depth + 1) }),
  };
}

/** Without what may be a prompt: Prisma quotes a query's values above its last paragraph, JSON.parse what it could not read. */
const readMessage = ({ name, message }: Error): string =>
  name.startsWith("PrismaClient") ? (message.split("\n\n").at(-1) ?? "") : withoutQuotedJson(message);

const logLineSchema = z.record(z.string(), z.unknown());

/** The line without the values of secret variables and what looks like a key. */
function removeSecrets(line: string): string {
  const secrets = listSecrets();
  const clean = logLineSchema.parse(
    JSON.parse(line, (_, value) => (typeof value === "string" ? redact(value, secrets) : value)),
  );
  return `${JSON.stringify(clean)}\n`;
}
