import "server-only";
import { type AppError, statusOf } from "../app-error";

const titles: Partial<Record<AppError["code"], string>> = {
  bad_request: "This address cannot be read",
  unauthorized: "This server expects its token",
  forbidden: "This server does not answer here",
};

/** A refused request as a page that needs nothing else of the app. */
export function toRefusalPage(error: AppError): Response {
  const title = titles[error.code] ?? "This page could not be shown";
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Swarmloom</title>
<style>body{font:14px/1.5 system-ui,sans-serif;max-width:36rem;margin:20vh auto;padding:0 1rem}h1{font-size:1.125rem}</style>
<main>
<h1>${title}</h1>
<p>${escapeHtml(error.message)}</p>
</main>
</html>
`;
  return new Response(body, {
    status: statusOf(error),
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  });
}

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
