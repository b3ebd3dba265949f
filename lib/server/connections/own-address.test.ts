import { afterEach, expect, test, vi } from "vitest";
import * as env from "../env";
import { checkBaseUrl } from "./connection-setting";

afterEach(() => vi.restoreAllMocks());

test("a name that leads to this server is no connection; another port of this machine is one", async () => {
  vi.spyOn(env, "getOwnPort").mockReturnValue(3000);
  const lookup = async () => [{ address: "127.0.0.1", family: 4 as const }];
  await expect(checkBaseUrl("http://models.example:3000/v1", "networks", lookup)).rejects.toMatchObject({
    code: "bad_request",
    message: expect.stringContaining("it is the address of this server itself"),
  });
  expect(await checkBaseUrl("http://models.example:8080/v1", "networks", lookup)).toBe("http://models.example:8080/v1");
  const elsewhere = async () => [{ address: "10.1.2.3", family: 4 as const }];
  expect(await checkBaseUrl("http://models.example:3000", "networks", elsewhere)).toBe("http://models.example:3000");
});
