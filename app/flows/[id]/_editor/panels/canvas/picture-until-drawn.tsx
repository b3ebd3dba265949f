import { use, useEffect, useState } from "react";
import { useStore } from "zustand";
import { PictureContext } from "../../state/picture-context";
import { useSession } from "../../state/session-context";

/** What the server drew stays until the canvas is on screen, so that the flow does not flicker. */
export function PictureUntilDrawn() {
  const { canvas } = useSession();
  const isDrawn = useStore(canvas, ({ overview, nodes, waiting }) => overview || (nodes.length > 0 && waiting === 0));
  const [isShown, setShown] = useState(true);
  useEffect(() => {
    if (!isDrawn) return;
    // The overview is painted in the next frame.
    const frame = requestAnimationFrame(() => setShown(false));
    return () => cancelAnimationFrame(frame);
  }, [isDrawn]);
  const picture = use(PictureContext);
  return isShown ? picture : null;
}
