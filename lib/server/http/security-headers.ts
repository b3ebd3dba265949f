import "server-only";
import { getOwnOrigin } from "../auth/team-mode";

/** What an answer is to a browser: a page that runs our scripts, or data, which runs nothing and loads nothing. */
export type Content = { type: "page"; nonce: string } | { type: "data" };

const headers = {
  "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** The security headers of an answer, static files included. The only place that makes any: no route sets its own. */
export const toSecurityHeaders = (content: Content) => ({
  ...headers,
  ...(content.type === "page" && { "content-security-policy": toPagePolicy(content.nonce) }),
  ...(getOwnOrigin().startsWith("https:") && { "strict-transport-security": "max-age=31536000" }),
});

/**
 * Inline scripts need the nonce of their answer, all others come from this server. Not `strict-dynamic`: it would let any
 * script of the page run inline texts and load from elsewhere. Styles may be inline: React Flow and the server's HTML use
 * style attributes, the toasts and the text editor insert style elements.
 */
const toPagePolicy = (nonce: string): string =>
  [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
