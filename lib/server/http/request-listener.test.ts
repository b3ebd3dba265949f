import { createServer, type ServerResponse, request as send } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import * as env from "../env";
import * as clientAddress from "../net/client-address";
import { guardListener } from "./request-listener";

/** A substitute for Next: records the requests that reach it. */
const server = createServer(
  guardListener((request, response) => {
    if (request.method === "TRACE") throw new TypeError("'TRACE' HTTP method is unsupported.");
    response.end(`nonce=${request.headers["x-nonce"]} policy=${request.headers["content-security-policy"]}`);
  }),
);
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address === "object" && address) port = address.port;
});
afterAll(() => server.close());

interface Answer {
  status: number | undefined;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}

const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
  new Promise<Answer>((resolve, reject) => {
    send({ host: "127.0.0.1", port, method, path, headers }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (piece: string) => {
        body += piece;
      });
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, body }));
    })
      .on("error", reject)
      .end();
  });

test("TRACE is answered 405 before it reaches Next, which would throw", async () => {
  const { status, headers } = await ask("TRACE", "/");
  expect(status).toBe(405);
  expect(headers.allow).toContain("GET");
});

test("a page gets a policy with a nonce of its own, which Next reads from the request", async () => {
  const { headers, body } = await ask("GET", "/runs", { "x-nonce": "chosen by the client" });
  const policy = String(headers["content-security-policy"]);
  const nonce = /'nonce-([\w-]{36})'/.exec(policy)?.[1];
  expect(nonce).toBeDefined();
  expect(body).toBe(`nonce=${nonce} policy=${policy}`);
  expect((await ask("GET", "/runs")).body).not.toBe(body);
});

test.each(["/api/v1/runs", "/_next/static/chunks/a.js"])("%s runs nothing: it is data", async (path) => {
  const { headers } = await ask("GET", path);
  expect(headers).toMatchObject({
    "content-security-policy": expect.stringContaining("sandbox"),
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
  });
});

test.each([
  ["a foreign Host", "/", { host: "evil.example" }, 403],
  ["a proxy", "/api/v1/runs", { "x-forwarded-for": "203.0.113.9" }, 403],
  ["a path that cannot be decoded", "/runs/%zz", {}, 400],
  ["an address of another form", "http://evil.example/runs", {}, 400],
])("%s is refused before it reaches Next, with the security headers", async (_, path, headers, status) => {
  const answer = await ask("GET", path, headers);
  expect(answer.status).toBe(status);
  expect(answer.body).not.toContain("nonce=");
  expect(answer.headers).toMatchObject({ "x-frame-options": "DENY" });
});

test.each([
  "/_next/static/../../runs",
  "/embed/../settings",
  "/embed/%2e%2E/settings",
  "/embed/.%2e/settings",
  "/_next/static\\..\\..\\runs",
  "/runs/.",
])("%s, which leads elsewhere than it begins, does not reach Next", async (path) => {
  const answer = await ask("GET", path);
  expect(answer.status).toBe(400);
  expect(answer.body).not.toContain("nonce=");
});

test.each(["/runs/..a", "/docs/a.b", "/flows/a%2e%2eb", "/.well-known/x"])("%s reaches Next", async (path) => {
  expect((await ask("GET", path)).body).toContain("nonce=");
});

test("answers of the API are not stored", async () => {
  expect((await ask("GET", "/api/v1/runs")).headers["cache-control"]).toBe("no-store");
  expect((await ask("GET", "/_next/static/a.js")).headers["cache-control"]).toBeUndefined();
});

test("pages have a limit for each address but those of this machine", async () => {
  globalThis.swarmloomRates = undefined;
  vi.spyOn(env, "getEnv").mockReturnValue({ ...env.getEnv(), SWARMLOOM_RATE_LIMIT: 2 });
  vi.spyOn(clientAddress, "toClientAddress").mockReturnValue("203.0.113.9");
  for (let count = 0; count < 10; count++) expect((await ask("GET", "/runs")).status).toBe(200);
  const refused = await ask("GET", "/runs");
  expect([refused.status, Number(refused.headers["retry-after"]) > 0]).toEqual([429, true]);
  expect((await ask("GET", "/_next/static/a.js")).status).toBe(200);
  vi.restoreAllMocks();
  expect((await ask("GET", "/runs")).status).toBe(200);
});

test("HEAD of a refused page has no body", async () => {
  expect(await ask("HEAD", "/", { host: "evil.example" })).toMatchObject({ status: 403, body: "" });
});

/** A server with an answer that never ends, and a client that opened it and does not read. */
async function openStalled(write: (response: ServerResponse) => void) {
  const openedAt = performance.now();
  let onClose = (_ms: number): void => {};
  const closed = new Promise<number>((resolve) => {
    onClose = resolve;
  });
  const stalling = createServer(
    guardListener(
      (_, response) => {
        response.on("close", () => onClose(performance.now() - openedAt));
        write(response);
      },
      { stalledMs: 300 },
    ),
  );
  await new Promise<void>((resolve) => stalling.listen(0, "127.0.0.1", resolve));
  const address = stalling.address();
  const socket = connect(typeof address === "object" && address ? address.port : 0, "127.0.0.1").pause();
  socket.on("error", () => {});
  socket.write("GET /api/v1/runs/1/events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
  return {
    closed,
    close: () => {
      socket.destroy();
      stalling.close();
    },
  };
}

test("a reader that takes nothing loses its connection", async () => {
  const { closed, close } = await openStalled((response) => {
    const fill = (): void => {
      while (!response.destroyed && response.write("x".repeat(65_536)));
    };
    response.on("drain", fill);
    fill();
  });
  expect(await closed).toBeGreaterThan(250);
  close();
});

test("a reader that has everything keeps its connection, however long nothing follows", async () => {
  const { closed, close } = await openStalled((response) => response.write("all that there is"));
  const quiet = new Promise((resolve) => setTimeout(resolve, 900, "still open"));
  expect(await Promise.race([closed, quiet])).toBe("still open");
  close();
});

/** A server that takes 1,000 bytes at most, and counts what its handler reads. */
async function openBounded() {
  const read = { bytes: 0 };
  const bounded = createServer(
    guardListener(
      (request, response) => {
        request.on("data", (chunk: Buffer) => {
          read.bytes += chunk.byteLength;
        });
        request.on("end", () => response.end(`${read.bytes}`));
        request.on("error", () => undefined);
      },
      { bodyBytes: 1_000 },
    ),
  );
  await new Promise<void>((resolve) => bounded.listen(0, "127.0.0.1", resolve));
  const address = bounded.address();
  const post = (chunks: readonly string[], headers: Record<string, string | number> = {}) =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const request = send(
        {
          host: "127.0.0.1",
          port: typeof address === "object" && address ? address.port : 0,
          method: "POST",
          path: "/api/auth/sign-in/email",
          headers,
        },
        async (response) => {
          let body = "";
          for await (const chunk of response.setEncoding("utf8")) body += chunk;
          resolve({ status: response.statusCode, body });
        },
      ).on("error", reject);
      for (const chunk of chunks) request.write(chunk);
      if (headers["content-length"] === undefined || chunks.length > 0) request.end();
      else request.flushHeaders();
    });
  return { read, post, close: () => bounded.close() };
}

test("a body that is declared as too large is refused before it is read", async () => {
  const { post, read, close } = await openBounded();
  const answer = await post([], { "content-length": 300_000_000 });
  expect([answer.status, JSON.parse(answer.body).error.code, read.bytes]).toEqual([413, "too_large", 0]);
  close();
});

test("a body in pieces is read up to the limit", async () => {
  const { post, read, close } = await openBounded();
  const piece = "x".repeat(400);
  expect(await post([piece, piece])).toEqual({ status: 200, body: "800" });
  read.bytes = 0;
  expect(await post(Array.from({ length: 50 }, () => piece))).toMatchObject({ status: 413 });
  expect(read.bytes).toBeLessThanOrEqual(1_000);
  close();
});

/** Sends so many requests at once over one connection to a server whose first answers end, or none. */
async function pipeline(requests: number, endsAnswers: boolean) {
  const handled: string[] = [];
  const serial = createServer(
    guardListener(({ url = "" }, response) => {
      handled.push(url);
      if (endsAnswers) setTimeout(() => response.end(url), 5);
      else response.write("the first part");
    }),
  );
  await new Promise<void>((resolve) => serial.listen(0, "127.0.0.1", resolve));
  const address = serial.address();
  const socket = connect(typeof address === "object" && address ? address.port : 0, "127.0.0.1");
  let read = "";
  socket.on("error", () => {});
  socket.setEncoding("utf8").on("data", (piece: string) => {
    read += piece;
  });
  const paths = Array.from({ length: requests }, (_, index) => `/api/v1/runs/${index}`);
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`).join(""));
  return { handled, paths, socket, read: () => read, close: () => serial.close() };
}

test("requests of one connection are answered one after another", async () => {
  const { handled, paths, socket, read, close } = await pipeline(10, true);
  await expect.poll(() => read().match(/HTTP\/1.1 200/g)?.length).toBe(10);
  expect(handled).toEqual(paths);
  expect(read().match(/\/api\/v1\/runs\/\d/g)).toEqual(paths);
  socket.destroy();
  close();
});

test("requests behind an answer that goes on reach nothing, also when their connection ends", async () => {
  const { handled, paths, socket, read, close } = await pipeline(10, false);
  await expect.poll(read).toContain("the first part");
  socket.destroy();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(handled).toEqual(paths.slice(0, 1));
  close();
});

test("a connection with more than 20 waiting requests is ended", async () => {
  const { socket, close } = await pipeline(22, false);
  await expect.poll(() => socket.destroyed || socket.closed).toBe(true);
  close();
});
