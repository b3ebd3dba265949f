import { use, useEffect, useState } from "react";
import { useStore } from "zustand";
import { isDrawn } from "@/app/_canvas/state/canvas-store";
import { PictureContext } from "../../state/picture-context";
import { useSession } from "../../state/session-context";

/** What the server drew stays until the canvas is on screen, so that the flow does not flicker. */
export function PictureUntilDrawn() {
  const { canvas } = useSession();
  const isOnScreen = useStore(canvas, isDrawn);
  const [isShown, setShown] = useState(true);
  useEffect(() => {
    if (!isOnScreen) return;
    // The overview is painted in the next frame.
    const frame = requestAnimationFrame(() => setShown(false));
    return () => cancelAnimationFrame(frame);
  }, [isOnScreen]);
  const picture = use(PictureContext);
  return isShown ? picture : null;
}
