import "server-only";
import { type AppError, statusOf } from "../app-error";

const titles: Partial<Record<AppError["code"], string>> = {
  bad_request: "This address cannot be read",
  unauthorized: "This server expects its token",
  forbidden: "This server does not answer here",
};

const style = [
  "body{font:14px/1.5 Inter,system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1rem}",
  "h1{font-size:15px;margin:1rem 0 0}p{margin:.25rem 0 0;opacity:.8;text-wrap:pretty}",
  "code{font:12px/1 ui-monospace,monospace;padding:2px 5px;border-radius:4px;background:#8883}",
].join("");

const logo = `<svg width="28" height="28" viewBox="0 0 20 20" fill="none" aria-hidden="true" stroke="currentColor" stroke-width="2" stroke-linecap="round">
<path d="M2 10h3.5M8 10h4M14.5 10H18" stroke="#4f6df5"/><path d="M6.7 2v6M6.7 12v6M13.3 2v6M13.3 12v6" opacity=".55"/><path d="M10 2v16"/>
</svg>`;

/** A refused request as a page that needs nothing else of the app. */
export function toRefusalPage(error: AppError): Response {
  const title = titles[error.code] ?? "This page could not be shown";
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Swarmloom</title>
<style>${style}</style>
<main>
${logo}
<h1>${title}</h1>
<p>${toHtml(error.message)}</p>
</main>
</html>
`;
  return new Response(body, {
    status: statusOf(error),
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  });
}

/** Names between backticks are code. */
const toHtml = (text: string): string => escapeHtml(text).replaceAll(/&#96;(.+?)&#96;/g, "<code>$1</code>");

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
