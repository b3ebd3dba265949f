import { afterEach, describe, expect, it } from "vitest";
import type { Model } from "@/lib/core/run/ports/model";
import type { ProviderConnection } from "../call/call";
import { chunk, type RawServer, sendStream, startRawServer } from "../testing/raw-server";
import { failureIn, readAll, requestOf, textIn } from "../testing/read";
import { createAnthropicModel } from "./anthropic";
import { createCompatibleModel } from "./compatible";
import { createGoogleModel } from "./google";
import { createOpenAiModel } from "./openai";

const servers: RawServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});
async function serve(answer: Parameters<typeof startRawServer>[0]): Promise<RawServer> {
  const server = await startRawServer(answer);
  servers.push(server);
  return server;
}

const providers: [string, string, (connection: ProviderConnection) => Model][] = [
  ["openai", "/v1", createOpenAiModel],
  ["compatible", "/v1", createCompatibleModel],
  ["anthropic", "", createAnthropicModel],
  ["google", "", createGoogleModel],
];

describe("a redirect", () => {
  it.each(providers)(
    "to another origin is not followed, and carries neither key nor prompt: %s",
    async (_, path, create) => {
      const thief = await serve((response) => response.end("{}"));
      for (const status of [301, 302, 303, 307, 308]) {
        const host = await serve((response) => response.writeHead(status, { location: `${thief.url}/v1/x` }).end());
        const events = await readAll(
          create({ baseUrl: `${host.url}${path}`, apiKey: "sk-very-secret-key" }),
          requestOf(),
        );
        expect(failureIn(events)).toMatchObject({
          class: "invalid-request",
          message: expect.stringContaining(`redirects to ${thief.url}/v1/x`),
        });
        expect(host.bodies).toHaveLength(1);
      }
      expect(thief.requests).toEqual([]);
    },
  );

  it("within the origin is followed with method and body, five times at most", async () => {
    let redirects = 5;
    const host = await serve((response) =>
      redirects-- > 0
        ? response.writeHead(308, { location: `/v1/${redirects}` }).end()
        : sendStream(response, [chunk({ content: "fine" }, "stop")]),
    );
    const model = createCompatibleModel({ baseUrl: `${host.url}/v1`, apiKey: "k" });
    expect(textIn(await readAll(model, requestOf()))).toBe("fine");
    expect(host.requests.map(({ method }) => method)).toEqual(Array.from({ length: 6 }, () => "POST"));
    expect(new Set(host.bodies).size).toBe(1);
    redirects = 6;
    expect(failureIn(await readAll(model, requestOf())).message).toContain("at most 5 redirects");
  });
});
