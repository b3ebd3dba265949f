import { afterEach, expect, test, vi } from "vitest";
import * as handling from "@/lib/server/accounts/handle-auth-request";
import { POST } from "./route";

vi.mock("@/lib/server/start", () => ({ startServices: async () => undefined }));
afterEach(() => vi.restoreAllMocks());

const signIn = (body: BodyInit, headers: Record<string, string> = {}) =>
  POST(
    new Request("http://127.0.0.1:3000/api/auth/sign-in/email", {
      method: "POST",
      headers: { host: "127.0.0.1:3000", "content-type": "application/json", ...headers },
      body,
      ...{ duplex: "half" },
    }),
    { params: Promise.resolve({}) },
  );

test.each([
  ["that declares its length", () => signIn("{}", { "content-length": "300000000" })],
  [
    "that never ends",
    () => signIn(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(50_000)) })),
  ],
])("a body %s is not read beyond its limit, which is measured for people without an account, too", async (_, ask) => {
  const reached = vi.spyOn(handling, "handleAuthRequest").mockRejectedValue(new Error("it was passed on"));
  expect((await ask()).status).toBe(413);
  expect(reached).not.toHaveBeenCalled();
});

test("other bodies arrive as they are", async () => {
  const reached = vi
    .spyOn(handling, "handleAuthRequest")
    .mockImplementation(async (request) => new Response(await request.text()));
  expect(await (await signIn('{"email":"ann@example.org"}')).text()).toBe('{"email":"ann@example.org"}');
  expect(reached).toHaveBeenCalledOnce();
});
