/** Names are never smaller than this on the screen; in CSS pixels. */
const leastName = 11;
const usualName = 14;
/** The same for the small text of cards: models, times, costs. */
const leastText = 9;
const usualText = 11;
/** Below this scale small text is larger than usual. */
const usualTextFrom = leastText / usualText;
/** Below this scale a card has no room for everything. */
const allFrom = leastText / 12;
/** Below this scale a card has no room for small text. */
const textFrom = 0.46;
/** A tile would leave no room for the name. */
const tilesFrom = 0.6;
/** Ports and controls on links are in the way. */
const farBelow = 0.35;

const mostControl = 2;
/** The scales at which cards change, all together: each change costs the style of every card. */
const stops = [1, usualTextFrom, allFrom, tilesFrom, textFrom, farBelow, 0.26, 0.19, 0.14, 0.1, 0.05];

/** Tells the styles of the canvas its scale, in steps, so that a zoom changes the cards a few times only. */
export function showScale(canvas: HTMLElement | null, zoom: number): void {
  if (!canvas) return;
  const stop = stops.find((scale) => scale <= zoom) ?? zoom;
  if (canvas.dataset.scale === String(stop)) return;
  canvas.dataset.scale = String(stop);
  canvas.style.setProperty("--card-name", `${Math.max(usualName, Math.ceil(leastName / stop))}px`);
  canvas.style.setProperty("--card-text", `${Math.max(usualText, Math.ceil(leastText / stop))}px`);
  // Controls on links keep their size on the screen.
  canvas.style.setProperty("--control-scale", `${Math.min(mostControl, 1 / stop)}`);
  canvas.dataset.detail = stop < farBelow ? "far" : stop < textFrom ? "names" : stop < allFrom ? "brief" : "all";
  canvas.toggleAttribute("data-far", stop < farBelow);
  canvas.toggleAttribute("data-tileless", stop < tilesFrom);
}
