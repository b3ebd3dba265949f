/** Names are never smaller than this on the screen; in CSS pixels. */
const leastName = 11;
const usualName = 14;
/** Below these scales text of 11 px, and of 12 px, would be smaller than 9 px on the screen. */
const smallTextFrom = 9 / 11;
const textFrom = 9 / 12;
/** A tile would leave no room for the name. */
const tilesFrom = 0.6;
/** Ports and controls on links are in the way. */
const farBelow = 0.35;

/** Tells the styles of the canvas its scale, in steps, so that a zoom changes the cards a few times only. */
export function showScale(canvas: HTMLElement | null, zoom: number): void {
  if (!canvas) return;
  const name = `${Math.max(usualName, Math.ceil(leastName / zoom))}px`;
  if (canvas.style.getPropertyValue("--card-name") !== name) canvas.style.setProperty("--card-name", name);
  // In tenths: controls on links keep their size on the screen.
  const control = `${Math.min(2, Math.max(1, Math.ceil(10 / zoom) / 10))}`;
  if (canvas.style.getPropertyValue("--control-scale") !== control)
    canvas.style.setProperty("--control-scale", control);
  const detail = zoom < farBelow ? "far" : zoom < textFrom ? "names" : zoom < smallTextFrom ? "text" : "all";
  if (canvas.dataset.detail !== detail) canvas.dataset.detail = detail;
  canvas.toggleAttribute("data-far", detail === "far");
  canvas.toggleAttribute("data-tileless", zoom < tilesFrom);
}
