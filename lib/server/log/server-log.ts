import "server-only";
import path from "node:path";
import { format, stripVTControlCharacters } from "node:util";
import { logger } from "./logger";
import { toReadableLine } from "./readable-line";
import { RotatingFile } from "./rotating-file";

export interface LogTerminal {
  isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * From now on every line of this process's log goes to the terminal, readable there and as JSON where it is a file or a
 * pipe, and to `logs` in the data folder: five files of 5 MB at most.
 */
export function openServerLog(dataFolder: string, terminal: LogTerminal): void {
  const file = new RotatingFile({
    folder: path.resolve(dataFolder, "logs"),
    name: "swarmloom",
    maxBytes: 5_000_000,
    maxFiles: 5,
  });
  globalThis.swarmloomLog = {
    write(line) {
      file.append(line);
      writeLine(terminal, line);
    },
  };
}

/** From now on every line of this process's log goes to the terminal alone: several such processes may share a data folder. */
export function openTerminalLog(terminal: LogTerminal): void {
  globalThis.swarmloomLog = { write: (line) => writeLine(terminal, line) };
}

function writeLine(terminal: LogTerminal, line: string): void {
  terminal.write(terminal.isTTY ? toReadableLine(line) : line);
}

/** Puts warnings and errors that libraries print, above all those of pages that failed, into the log. */
export function logConsole(): void {
  console.error = (...values) => logValues("error", values);
  console.warn = (...values) => logValues("warn", values);
}

const maxMessage = 4_000;

function logValues(level: "error" | "warn", values: readonly unknown[]): void {
  const err = values.find((value) => value instanceof Error);
  const text = format(...values.filter((value) => value !== err));
  const message = stripVTControlCharacters(text).trim() || (err?.message ?? "");
  logger[level](err ? { err } : {}, message.slice(0, maxMessage));
}
