/**
 * The stable entry point for programs that run flows: exported TypeScript modules and code of users import it. See README.md.
 * The app and the server import the files themselves.
 */
export { EventBus } from "./run/events/event-bus";
export type { RunEvent } from "./run/events/events";
export { toPublicStream } from "./run/events/public-stream";
export { Hooks } from "./run/ports/hooks";
export { Inbox } from "./run/ports/inbox";
export type { RunContext } from "./run/ports/run-context";
export type { RunOptions } from "./run/ports/run-options";
export { runFlow } from "./run/run-flow";
export { readSource } from "./source/read-source";
