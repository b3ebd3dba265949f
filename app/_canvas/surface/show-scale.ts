/** Names are never smaller than this on the screen; in CSS pixels. */
const leastName = 11;
const usualName = 14;
/** Below this scale text of 11 px would be smaller than 9 px on the screen. */
const smallTextFrom = 9 / 11;
/** The same for text of 12 px. */
const textFrom = 9 / 12;
/** A tile would leave no room for the name. */
const tilesFrom = 0.6;
/** Ports and controls on links are in the way. */
const farBelow = 0.35;

const mostControl = 2;
/** The scales at which cards change, all together: each change costs the style of every card. */
const stops = [1, smallTextFrom, textFrom, tilesFrom, 0.46, farBelow, 0.26, 0.19, 0.14, 0.1, 0.05];

/** Tells the styles of the canvas its scale, in steps, so that a zoom changes the cards a few times only. */
export function showScale(canvas: HTMLElement | null, zoom: number): void {
  if (!canvas) return;
  const stop = stops.find((scale) => scale <= zoom) ?? zoom;
  if (canvas.dataset.scale === String(stop)) return;
  canvas.dataset.scale = String(stop);
  canvas.style.setProperty("--card-name", `${Math.max(usualName, Math.ceil(leastName / stop))}px`);
  // Controls on links keep their size on the screen.
  canvas.style.setProperty("--control-scale", `${Math.min(mostControl, 1 / stop)}`);
  canvas.dataset.detail = stop < farBelow ? "far" : stop < textFrom ? "names" : stop < smallTextFrom ? "text" : "all";
  canvas.toggleAttribute("data-far", stop < farBelow);
  canvas.toggleAttribute("data-tileless", stop < tilesFrom);
}
