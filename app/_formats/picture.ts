export const toPictureUrl = (svg: string): string => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;

export const currentTheme = (): "light" | "dark" =>
  document.documentElement.dataset.theme === "dark" ? "dark" : "light";

const longestSide = 16_000;

/** An SVG text as PNG, `scale` times as large where a canvas allows it. Rejects when the browser cannot draw it. */
export async function drawPng(svg: string, scale: number): Promise<Blob> {
  const image = new Image();
  image.src = toPictureUrl(svg);
  await image.decode();
  const fit = Math.min(scale, longestSide / image.naturalWidth, longestSide / image.naturalHeight);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.floor(image.naturalWidth * fit));
  canvas.height = Math.max(1, Math.floor(image.naturalHeight * fit));
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("This browser cannot draw a picture of that size. Download the SVG instead.");
  return blob;
}
