import { createServer, type ServerResponse, request as send } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
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
