const faces = [
  {
    family: "Inter Variable",
    url: new URL("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2", import.meta.url),
  },
  {
    family: "JetBrains Mono Variable",
    url: new URL("@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2", import.meta.url),
  },
];

/** An SVG with the fonts of the app in it: outside of the app a picture has no others. Rejects when they cannot be loaded. */
export async function embedFonts(svg: string): Promise<string> {
  const rules = await Promise.all(
    faces.map(async ({ family, url }) => {
      const data = await loadDataUrl(url);
      return `@font-face{font-family:"${family}";font-weight:100 900;src:url(${data}) format("woff2")}`;
    }),
  );
  return svg.replace("</title>", () => `</title>\n<style>${rules.join("")}</style>`);
}

async function loadDataUrl(url: URL): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The font of the picture could not be loaded: ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return `data:font/woff2;base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
}
