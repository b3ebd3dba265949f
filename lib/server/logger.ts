import "server-only";
import pino from "pino";

/** One JSON line an event on standard output. Never give it a key or a prompt. */
export const logger = pino({ name: "swarmloom", level: "info" });
