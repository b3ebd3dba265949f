import { expect, it } from "vitest";
import { thumbnailLinkTypes, thumbnailShapes } from "@/lib/core/layout/thumbnail/thumbnail";
import { toPaths } from "./thumbnail-paths";

it("draws every shape and link, one path for each style", () => {
  const paths = toPaths({
    type: "drawing",
    width: 200,
    height: 100,
    nodes: thumbnailShapes.map((shape, index) => [shape, index * 10, 0, 46, 20, shape === "card" ? 3 : -1]),
    links: thumbnailLinkTypes.map((type, index) => [type, index, 0, index + 40, 30]),
  });
  const styles = ["card", "line", "color-3", "ghost", "control", "person", "frame", "dashed", "link", "head", "ring"];
  expect([...paths.keys()].sort()).toEqual(styles.sort());
  for (const path of paths.values()) expect(path).toMatch(/^M[-\d. MLHVChvqatZlC]+$/);
  expect(paths.get("link")?.match(/M/g)).toHaveLength(thumbnailLinkTypes.length);
});

it("points a link back to an earlier card to the left", () => {
  const paths = toPaths({ type: "drawing", width: 9, height: 9, nodes: [], links: [["flow", 100, 10, 40, 10]] });
  expect(paths.get("head")).toBe("M40 10l5.5 -3v6Z");
});
