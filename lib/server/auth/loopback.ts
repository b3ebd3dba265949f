import "server-only";

const loopbackNames = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Whether an address to listen on is every address of this machine: none that a link can have. */
export const isEveryAddress = (host: string): boolean => /^\[?(?:::ffff:)?[0.:]+\]?$/i.test(host);

/** Whether a `Host` header, or the host of an address to listen on, names this machine and no other. */
export const isLoopbackHost = (host: string): boolean => loopbackNames.has(host.toLowerCase().replace(/:\d+$/, ""));
