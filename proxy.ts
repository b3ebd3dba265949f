import { type NextRequest, NextResponse } from "next/server";
import { answerAtGate, isApiPath } from "@/lib/server/auth/gate";
import { type Content, toSecurityHeaders } from "@/lib/server/security-headers";

/** Runs before every page and route: refuses what may not reach them, and sets the security headers of the answer. */
export function proxy(request: NextRequest): Response {
  const content: Content = isApiPath(request.nextUrl.pathname)
    ? { type: "data" }
    : { type: "page", nonce: crypto.randomUUID() };
  const headers = toSecurityHeaders(content);
  const response = answerAtGate(request) ?? forward(request, content, headers["content-security-policy"]);
  for (const [name, value] of Object.entries(headers))
    if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
}

/** Static files are left out: they are public, and the proxy doubles the time that they take. */
export const config = { matcher: "/((?!_next/static/).*)" };

/** Next takes the nonce of its scripts from the policy of the request; the layout takes it from `x-nonce`. */
function forward(request: NextRequest, content: Content, policy: string): Response {
  if (content.type === "data") return NextResponse.next();
  const headers = new Headers(request.headers);
  headers.set("x-nonce", content.nonce);
  headers.set("content-security-policy", policy);
  return NextResponse.next({ request: { headers } });
}
