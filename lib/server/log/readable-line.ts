import "server-only";
import pino from "pino";
import { z } from "zod";
import { parseJsonAs } from "@/lib/core/flow/parse-json";

const lineSchema = z.looseObject({
  level: z.number(),
  time: z.number(),
  msg: z.string().default(""),
  err: z.looseObject({ message: z.string(), stack: z.string().optional() }).optional(),
});

/** Fields that are the same in every line of a process. */
const constants = new Set(["pid", "hostname", "name"]);

/** A JSON line of the log for people: time, level, message, fields, and the stack of an error below. */
export function toReadableLine(line: string): string {
  const { level, time, msg, err, ...fields } = parseJsonAs(line, lineSchema);
  const clock = new Date(time).toTimeString().slice(0, 8);
  const label = (pino.levels.labels[level] ?? String(level)).toUpperCase().padEnd(5);
  const pairs = Object.entries(fields)
    .filter(([name]) => !constants.has(name))
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  const headLine = [clock, label, msg, ...pairs].map(escapeControls).join(" ");
  return err ? `${headLine}\n${indent(err.stack ?? err.message)}\n` : `${headLine}\n`;
}

const indent = (text: string): string =>
  text
    .split("\n")
    .map((line) => `    ${escapeControls(line)}`)
    .join("\n");

/** Characters that would move the cursor, colour the terminal or turn the direction of the text, written as escapes. */
const escapeControls = (text: string): string =>
  text.replace(
    /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
