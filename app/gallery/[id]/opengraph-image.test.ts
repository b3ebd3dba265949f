import { afterEach, expect, test, vi } from "vitest";
import * as shared from "@/app/_share/read-shared";
import SocialImage from "./opengraph-image";

afterEach(() => vi.restoreAllMocks());

test("the picture of a flow is drawn without asking any server for fonts, whatever it is called", async () => {
  const asked = vi.spyOn(globalThis, "fetch");
  const latin = Array.from({ length: 0x17f - 0xa1 }, (_, nth) => String.fromCodePoint(0xa1 + nth));
  vi.spyOn(shared, "readGalleryFlow").mockResolvedValue({
    name: "\u6d41\u308c \ud83d\ude80 Flow \u0416 \u0e01",
    team: "\u{1f600}",
    agents: 40,
    agentNames: [
      "\u5206\u6790",
      ...Array.from({ length: 8 }, (_, nth) => latin.slice(nth * 24, nth * 24 + 24).join("")),
    ],
    description: null,
    source: "",
    layout: { pins: {} },
  });
  const image = await SocialImage({ params: Promise.resolve({ id: "a" }) });
  expect((await image.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
  expect(asked.mock.calls.map(([url]) => String(url)).filter((url) => /^https?:/.test(url))).toEqual([]);
});
