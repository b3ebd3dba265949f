import { randomUUID } from "node:crypto";
import { POST } from "@/app/api/hooks/[token]/route";
import { signMessage } from "../signature";
import type { WebhookSecret } from "../webhook-setting";

interface Sending {
  id?: string;
  /** Seconds from now. */
  late?: number;
  body?: string | Buffer<ArrayBuffer>;
  signature?: string;
  headers?: Record<string, string>;
}

/** Sends a request as its sender signs it, with some of it changed; an empty header is left out. */
export async function sendRequest(
  { webhook, secret }: WebhookSecret,
  { id = randomUUID(), late = 0, ...changes }: Sending = {},
) {
  const timestamp = String(Math.floor(Date.now() / 1000) + late);
  const body = changes.body ?? "A printer is on fire.";
  const all = {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": changes.signature ?? signMessage({ id, timestamp, body }, secret),
    // Requests come from anywhere.
    host: "hooks.example",
    "x-forwarded-for": "203.0.113.7",
    ...changes.headers,
  };
  const headers = Object.entries(all).filter(([, value]) => value !== "");
  const request = new Request(`http://hooks.example${webhook.path}`, { method: "POST", headers, body });
  const token = webhook.path.split("/").at(-1) ?? "";
  const response = await POST(request, { params: Promise.resolve({ token }) });
  const text = await response.text();
  return { status: response.status, id: /"id":"([^"]+)"/.exec(text)?.[1], text };
}
