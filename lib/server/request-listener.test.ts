import { createServer, request as send } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { guardListener } from "./request-listener";

const server = createServer(
  guardListener((request, response) => {
    if (request.method === "TRACE") throw new TypeError("'TRACE' HTTP method is unsupported.");
    if (request.url === "/page") response.setHeader("Content-Security-Policy", "default-src 'self'");
    response.end("handled");
  }),
);
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address === "object" && address) port = address.port;
});
afterAll(() => server.close());

const ask = (method: string, path: string) =>
  new Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
    send({ host: "127.0.0.1", port, method, path }, (response) => {
      response.resume();
      resolve({ status: response.statusCode, headers: response.headers });
    })
      .on("error", reject)
      .end();
  });

test("TRACE is answered 405 before it reaches Next, which would throw", async () => {
  const { status, headers } = await ask("TRACE", "/");
  expect(status).toBe(405);
  expect(headers.allow).toContain("GET");
});

test("every answer has the security headers; those that the app sets replace them", async () => {
  expect((await ask("GET", "/")).headers).toMatchObject({
    "content-security-policy": expect.stringContaining("sandbox"),
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
  });
  expect((await ask("GET", "/page")).headers["content-security-policy"]).toBe("default-src 'self'");
});
