import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ServerListener } from "./listener";

let listener: ServerListener;
beforeEach(async () => {
  listener = new ServerListener();
  await listener.listen("127.0.0.1", 0);
});
afterEach(() => {
  listener.server.closeAllConnections();
  return listener.close();
});
const url = (): string => `http://127.0.0.1:${listener.port}/`;

describe("the HTTP server of the process", () => {
  it("holds its port and refuses requests until there is something to serve", async () => {
    await expect(new ServerListener().listen("127.0.0.1", listener.port)).rejects.toMatchObject({ code: "EADDRINUSE" });
    const answer = await fetch(url());
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
    listener.handle = (_, response) => response.end("pages");
    expect(await (await fetch(url())).text()).toBe("pages");
  });

  it("closes although an endless response is being sent", async () => {
    listener.handle = (_, response) => void response.write("event: ping\n\n");
    const stream = (await fetch(url())).body?.getReader();
    await stream?.read();
    const closed = listener.close();
    await expect(fetch(url())).rejects.toThrow();
    listener.server.closeAllConnections();
    await closed;
    await expect(stream?.read()).rejects.toThrow();
  });
});
