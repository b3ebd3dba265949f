import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { startRawServer } from "../models/testing/raw-server";
import { parseAllowList } from "../net/allow-list";
import type { Lookup } from "../net/guard";
import { redirect, requestLimits } from "../net/guarded-request";
import { createHttpRequest } from "./http-request";

type Answer = Parameters<typeof startRawServer>[0];

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function serve(answer: Answer) {
  const server = await startRawServer(answer);
  open.push(server);
  const { host, port } = new URL(server.url);
  return { ...server, host, port };
}

const toLoopback: Lookup = async () => [{ address: "127.0.0.1", family: 4 }];

interface World {
  allow?: string;
  ownPort?: string;
  lookup?: Lookup;
  milliseconds?: number;
  signal?: AbortSignal;
  hosts?: string[] | null;
}

const ask = async (
  given: object,
  {
    allow = "",
    ownPort = "3000",
    lookup = toLoopback,
    milliseconds = 20_000,
    signal = new AbortController().signal,
    hosts = null,
  }: World = {},
) => {
  const limits = { ...requestLimits, milliseconds };
  const tool = createHttpRequest({
    allow: () => parseAllowList(allow),
    ownPort: () => Number(ownPort),
    lookup,
    limits,
  });
  return tool.execute(tool.input.parse(given), { signal, now: Date.now, idempotencyKey: "run:path", httpHosts: hosts });
};

describe("http_request", () => {
  it("sends method, headers and body, and answers status, a few headers and the text", async () => {
    const server = await serve((response, body) => {
      response.writeHead(201, { "content-type": "text/plain; charset=utf-8", "set-cookie": "a=b", etag: '"1"' });
      response.end(`got ${body}`);
    });
    const headers = { "X-Api-Key": "k", "content-type": "application/json" };
    const given = { url: `http://api.test:${server.port}/a?b=c`, method: "PUT", headers, body: '{"n":"ü"}' };
    expect(await ask(given, { allow: `api.test:${server.port}` })).toEqual({
      status: 201,
      url: given.url,
      headers: { "content-type": "text/plain; charset=utf-8", etag: '"1"' },
      body: 'got {"n":"ü"}',
    });
    const [request] = server.requests;
    expect(request).toMatchObject({ method: "PUT", url: "/a?b=c" });
    expect(request?.headers).toMatchObject({
      host: `api.test:${server.port}`,
      "x-api-key": "k",
      "content-type": "application/json",
      "user-agent": "Swarmloom",
    });
  });

  it("gives requests that do more when done twice the key of their call", async () => {
    const server = await serve((response) => response.end());
    for (const method of ["POST", "PATCH", "PUT", "GET"])
      await ask({ url: server.url, method }, { allow: server.host });
    const [post, ...others] = server.requests.map(({ headers }) => headers["idempotency-key"]);
    expect(post).toMatch(/^[0-9a-f]{64}$/);
    expect(others).toEqual([post, undefined, undefined]);
  });

  it("answers errors of the server as they are", async () => {
    const server = await serve((response) => response.writeHead(404).end("no such thing"));
    expect(await ask({ url: server.url }, { allow: server.host })).toMatchObject({
      status: 404,
      body: "no such thing",
    });
  });

  it("reaches no private host, by address or by name", async () => {
    const server = await serve((response) => response.end("secret"));
    for (const url of [server.url, `http://[::ffff:127.0.0.1]:${server.port}`, `http://inner.test:${server.port}`])
      await expect(ask({ url })).rejects.toThrow("its address is loopback");
    await expect(ask({ url: server.url }, { allow: "127.0.0.1:1" })).rejects.toThrow("is not reached");
    expect(server.requests).toHaveLength(0);
  });

  it("reaches this server by no name, address or redirect, though the list allows them", async () => {
    const own = await serve((response) => response.end("all flows and runs"));
    const detour = await serve((response, _body, nth) =>
      response
        .writeHead(307, { location: `http://${nth === 1 ? "[::ffff:7f00:1]" : "inner.test"}:${own.port}/` })
        .end(),
    );
    const hosts = ["127.0.0.1", "127.1", "localhost", "inner.test", "0.0.0.0", "[::ffff:127.0.0.1]"];
    const allow = [detour.host, ...hosts.map((host) => `${host}:${own.port}`)].join();
    for (const url of [...hosts.map((host) => `http://${host}:${own.port}/`), detour.url, detour.url])
      await expect(ask({ url }, { allow, ownPort: own.port })).rejects.toThrow(
        "it is the address of this server itself",
      );
    expect(own.requests).toHaveLength(0);
    expect(detour.requests).toHaveLength(2);
    expect(await ask({ url: own.url }, { allow })).toMatchObject({ body: "all flows and runs" });
  });

  it("asks for the name once, and connects to the address that was checked", async () => {
    const server = await serve((response) => response.end("here"));
    const asked: string[] = [];
    const lookup: Lookup = async (host) => {
      asked.push(host);
      return [{ address: asked.length === 1 ? "127.0.0.1" : "203.0.113.1", family: 4 }];
    };
    const url = `http://rebind.test:${server.port}/`;
    expect(await ask({ url }, { allow: `rebind.test:${server.port}`, lookup })).toMatchObject({ body: "here" });
    expect(asked).toEqual(["rebind.test"]);
  });

  it("checks a name again when a redirect leads to it, though it was public before", async () => {
    const server = await serve((response) =>
      response.writeHead(302, { location: `http://rebind.test:${server.port}/` }).end(),
    );
    let count = 0;
    const lookup: Lookup = async (host) => {
      if (host === "start.test") return toLoopback(host);
      count++;
      return [{ address: count === 1 ? "127.0.0.1" : "8.8.8.8", family: 4 }];
    };
    const url = `http://start.test:${server.port}/`;
    await expect(ask({ url }, { allow: `start.test:${server.port}`, lookup })).rejects.toThrow("rebind.test");
    expect(server.requests).toHaveLength(1);
    expect(count).toBe(1);
  });

  it.each([
    ["http://169.254.169.254/latest/", "its address is link-local"],
    ["http://[::ffff:a9fe:a9fe]/", "its address is link-local"],
    ["//10.0.0.1/", "its address is private"],
    ["file:///etc/passwd", "found file:"],
    ["http://user:pass@start.test/", "user or a password"],
  ])("follows no redirect to %s", async (location, message) => {
    const server = await serve((response) => response.writeHead(307, { location }).end());
    await expect(
      ask({ url: `http://start.test:${server.port}/` }, { allow: `start.test:${server.port}` }),
    ).rejects.toThrow(message);
  });

  it("reaches only the hosts that the team allows, also after a redirect", async () => {
    const inner = await serve((response) => void response.end("inner"));
    const outer = await serve((response) => {
      response.writeHead(302, { location: `http://b.test:${inner.port}/` });
      response.end();
    });
    const world = { allow: `a.test:${outer.port}, b.test:${inner.port}, deep.b.test:${inner.port}` };
    const start = { url: `http://a.test:${outer.port}/` };
    await expect(ask(start, { ...world, hosts: ["a.test", "b.test"] })).resolves.toMatchObject({ body: "inner" });
    const only = (hosts: string[]) => ask(start, { ...world, hosts });
    await expect(only(["a.test"])).rejects.toThrow(/b\.test:\d+ is not reached: it is none of the hosts/);
    await expect(only([])).rejects.toThrow(/a\.test:\d+ is not reached/);
    for (const hosts of [["*.b.test"], ["*.a.test"]]) await expect(only(hosts)).rejects.toThrow("is not reached");
    const deep = { url: `http://deep.b.test:${inner.port}/` };
    await expect(ask(deep, { ...world, hosts: ["*.b.test"] })).resolves.toMatchObject({ body: "inner" });
    await expect(ask(deep, { ...world, hosts: ["b.test"] })).rejects.toThrow("is not reached");
  });

  it("follows five redirects and no sixth", async () => {
    const server = await serve((response, _body, nth) =>
      nth > 5 ? response.end("there") : response.writeHead(302, { location: `/${nth}` }).end(),
    );
    const url = `${server.url}/0`;
    expect(await ask({ url }, { allow: server.host })).toMatchObject({ url: `${server.url}/5`, body: "there" });
    const endless = await serve((response) => response.writeHead(302, { location: "/again" }).end());
    await expect(ask({ url: endless.url }, { allow: endless.host })).rejects.toThrow("more than 5 redirects");
    expect(endless.requests).toHaveLength(6);
  });

  it("takes no key along to another origin, and keeps all of them on its own", async () => {
    const target = await serve((response) => response.end("ok"));
    const start = await serve((response, _body, nth) =>
      response.writeHead(307, { location: nth === 1 ? "/on" : `${target.url}/x` }).end(),
    );
    const secret = { authorization: "Bearer s", cookie: "s=1", "x-api-key": "s", "x-anything": "s" };
    const headers = { ...secret, accept: "text/html" };
    await ask({ url: start.url, method: "POST", headers, body: "text" }, { allow: `${start.host},${target.host}` });
    expect(start.requests[1]?.headers).toMatchObject(headers);
    expect(target.requests[0]).toMatchObject({ method: "POST", headers: { accept: "text/html" } });
    for (const name of Object.keys(secret)) expect(target.requests[0]?.headers).not.toHaveProperty(name);
    expect(target.bodies).toEqual(["text"]);
  });

  it.each([
    [301, "POST", "GET"],
    [302, "POST", "GET"],
    [302, "PUT", "PUT"],
    [303, "PUT", "GET"],
    [303, "HEAD", "HEAD"],
    [307, "POST", "POST"],
    [308, "DELETE", "DELETE"],
  ])("after %d a %s becomes %s", (status, method, expected) => {
    const headers = new Headers({ "content-type": "a/b", authorization: "s" });
    const next = redirect({ url: "http://a.test/x", method, headers, body: "text" }, status, "y");
    expect([String(next.url), next.method]).toEqual(["http://a.test/y", expected]);
    const isDropped = method !== expected;
    expect([next.body, next.headers.get("content-type")]).toEqual(isDropped ? [undefined, null] : ["text", "a/b"]);
    expect(next.headers.get("authorization")).toBe("s");
  });

  it.each(["https://a.test/", "http://a.test:81/", "http://b.test/"])(
    "%s is another origin than http://a.test/",
    (to) => {
      const headers = new Headers({ authorization: "s" });
      expect([...redirect({ url: "http://a.test/", method: "GET", headers }, 302, to).headers]).toEqual([]);
    },
  );

  it.each([
    [{ Host: "inner.test" }, 'the header "Host" cannot be set'],
    [{ connection: "close" }, "cannot be set"],
    [{ "Transfer-Encoding": "chunked" }, "cannot be set"],
    [{ "content-length": "1" }, "cannot be set"],
    [{ "Proxy-Authorization": "s" }, "cannot be set"],
    [{ "a\r\nb": "c" }, "expected a header name"],
    [{ a: "b\r\nhost: c" }, "expected a header name"],
    [{ a: "x".repeat(20_000) }, "at most 16000 characters"],
  ])("refuses the headers %j", async (headers, message) => {
    await expect(ask({ url: "http://127.0.0.1:1/", headers }, { allow: "127.0.0.1:1" })).rejects.toThrow(message);
  });

  it("refuses a body with GET", async () => {
    await expect(ask({ url: "http://8.8.8.8/", body: "x" })).rejects.toThrow("a GET request has no body");
  });

  it("cuts a huge body, and marks the cut", async () => {
    const piece = "x".repeat(64_000);
    const server = await serve((response) => {
      const more = () => {
        while (response.write(piece));
      };
      response.on("drain", more);
      response.on("error", () => {});
      response.writeHead(200, { "content-type": "text/plain" });
      more();
    });
    const answer = await ask({ url: server.url }, { allow: server.host });
    expect(answer).toMatchObject({ note: "the body was cut after 1000000 bytes", body: "x".repeat(1_000_000) });
  });

  it("cuts a small body that unpacks to a huge one", async () => {
    const packed = gzipSync(Buffer.alloc(50_000_000, "x"));
    const server = await serve((response) => response.writeHead(200, { "content-encoding": "gzip" }).end(packed));
    const answer = await ask({ url: server.url }, { allow: server.host });
    expect(answer).toMatchObject({ note: expect.stringContaining("was cut"), body: "x".repeat(1_000_000) });
  });

  it("shows no binary data", async () => {
    const bytes = Buffer.from([0x89, 0x50, 0, 1, 2]);
    const server = await serve((response) => response.writeHead(200, { "content-type": "image/png" }).end(bytes));
    expect(await ask({ url: server.url }, { allow: server.host })).toMatchObject({
      body: "[binary data, not shown: image/png, 5 bytes]",
    });
  });

  it("reads the charset that the server names", async () => {
    const server = await serve((response) =>
      response.writeHead(200, { "content-type": "text/html; charset=ISO-8859-1" }).end(Buffer.from([0xfc])),
    );
    expect(await ask({ url: server.url }, { allow: server.host })).toMatchObject({ body: "ü" });
  });

  it("gives up a body that never ends", async () => {
    const server = await serve((response) => response.writeHead(200).write("a"));
    const asked = ask({ url: server.url }, { allow: server.host, milliseconds: 300 });
    await expect(asked).rejects.toThrow("no whole answer within 0.3 s");
  });

  it("fails for a host name whose lookup never ends", async () => {
    const lookup: Lookup = () => new Promise(() => {});
    await expect(ask({ url: "http://slow.test/" }, { lookup, milliseconds: 50 })).rejects.toThrow("no whole answer");
  });

  it("ends when the run is cancelled, and closes the connection", async () => {
    const controller = new AbortController();
    let isClosed = false;
    const server = await serve((response) => {
      response.on("close", () => {
        isClosed = true;
      });
      response.writeHead(200).write("a");
      controller.abort(new Error("cancelled by a test"));
    });
    const asked = ask({ url: server.url }, { allow: server.host, signal: controller.signal });
    await expect(asked).rejects.toThrow("cancelled by a test");
    for (let turn = 0; turn < 100 && !isClosed; turn++) await wait(10);
    expect(isClosed).toBe(true);
  });

  it("reports why a connection failed", async () => {
    const server = await serve(() => {});
    await server.close();
    await expect(ask({ url: server.url }, { allow: server.host })).rejects.toThrow(
      /the request failed: .*ECONNREFUSED/,
    );
  });
});
