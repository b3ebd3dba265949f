import "server-only";
import dataHeaders from "./data-headers.json";
import { isDevelopment } from "./env";

/** What an answer is to a browser: a page that runs our scripts, or data, which runs nothing and loads nothing. */
export type Content = { type: "page"; nonce: string } | { type: "data" };

/**
 * The security headers of an answer. Next does not let a route handler replace them, so no route sets its own. Static files,
 * which proxy.ts leaves out, get those of data by next.config.js.
 */
export const toSecurityHeaders = (content: Content): typeof dataHeaders =>
  content.type === "data" ? dataHeaders : { ...dataHeaders, "content-security-policy": toPagePolicy(content.nonce) };

/**
 * Inline scripts need the nonce of their answer, all others come from this server. Not `strict-dynamic`: it would let any
 * script of the page run inline texts and load from elsewhere. Styles may be inline: React Flow and the server's HTML use
 * style attributes, the toasts and the text editor insert style elements.
 */
const toPagePolicy = (nonce: string): string =>
  [
    "default-src 'self'",
    // In development React rebuilds the stacks of the server with eval.
    `script-src 'self' 'nonce-${nonce}'${isDevelopment() ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
