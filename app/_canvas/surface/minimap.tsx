import { type ReactFlowState, useStore as useFlowStore, useReactFlow, useStoreApi } from "@xyflow/react";
import { type PointerEvent as ReactPointerEvent, useEffect, useRef } from "react";
import { useCanvasSession, useFlowState } from "@/app/_canvas/state/canvas-session";
import { useMedia } from "@/app/_ui/use-media";
import { type CanvasBox, isInView } from "@/lib/core/layout/scene/canvas-box";
import { paintScene, type ViewpointSource } from "../painting/paint-scene";
import { boundsOfAll } from "../scene/notes";
import { focusByPointer } from "./pointer-focus";

/** In CSS pixels. */
const size = { width: 200, height: 150 };
const padding = 6;
/** On a lower canvas, as above the run panel, it would cover cards. */
const leastCanvasHeight = 480;

export function Minimap() {
  const isNarrow = useMedia("(max-width: 767px)");
  const bounds = useFlowState(boundsOfAll);
  const isLarger = useFlowStore((state) => bounds !== null && !showsAll(state, bounds));
  const hasRoom = useFlowStore(({ height }) => height >= leastCanvasHeight);
  const isShown = isLarger && hasRoom && isNarrow === false && bounds !== null && !isLine(bounds);
  return isShown && <MinimapPicture bounds={bounds} />;
}

/** In CSS pixels: a picture that is lower or narrower shows nothing but a line. */
const leastExtent = 24;

function isLine(all: CanvasBox): boolean {
  const { zoom } = fitMap(all);
  return all.width * zoom < leastExtent || all.height * zoom < leastExtent;
}

const showsAll = ({ transform: [x, y, zoom], width, height }: ReactFlowState, all: CanvasBox): boolean =>
  isInView(all, { x, y, zoom }, { width, height });

function fitMap(all: CanvasBox): { x: number; y: number; zoom: number } {
  const zoom = Math.min((size.width - 2 * padding) / all.width, (size.height - 2 * padding) / all.height);
  return {
    x: (size.width - all.width * zoom) / 2 - all.x * zoom,
    y: (size.height - all.height * zoom) / 2 - all.y * zoom,
    zoom,
  };
}

/** For the pointer only: the keyboard has the canvas itself. */
function MinimapPicture({ bounds: all }: { bounds: CanvasBox }) {
  const session = useCanvasSession();
  const flow = useStoreApi();
  const { setCenter, getZoom } = useReactFlow();
  const picture = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const view: ViewpointSource = {
      read: () => ({ ...fitMap(all), ...size, dragged: null }),
      subscribe: () => () => {},
    };
    return picture.current ? paintScene(picture.current, session, view) : undefined;
  }, [session, all]);

  useEffect(() => {
    // Bypasses React: it moves with every frame of a pan.
    const updateFrame = (): void => {
      if (!frame.current) return;
      const { transform, width, height } = flow.getState();
      const [x, y, zoom] = transform;
      const map = fitMap(all);
      const scale = map.zoom / zoom;
      frame.current.style.transform = `translate(${map.x - x * scale}px, ${map.y - y * scale}px)`;
      frame.current.style.width = `${width * scale}px`;
      frame.current.style.height = `${height * scale}px`;
    };
    updateFrame();
    return flow.subscribe(updateFrame);
  }, [flow, all]);

  const go = (event: ReactPointerEvent<HTMLDivElement>): void => {
    if (event.buttons !== 1) return;
    const box = event.currentTarget.getBoundingClientRect();
    const { x, y, zoom } = fitMap(all);
    session.camera.reportUserMove();
    void setCenter((event.clientX - box.left - x) / zoom, (event.clientY - box.top - y) / zoom, { zoom: getZoom() });
  };
  return (
    <div
      aria-hidden
      data-testid="minimap"
      className="contain-strict absolute right-3 bottom-14 z-[6] cursor-pointer touch-none overflow-hidden rounded-md border border-line-strong bg-canvas"
      style={size}
      onMouseDown={(event) => {
        // The focus stays on the canvas.
        event.preventDefault();
        focusByPointer(flow.getState().domNode);
      }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={go}
    >
      <canvas ref={picture} className="absolute inset-0 size-full" />
      <div ref={frame} className="absolute top-0 left-0 border border-text bg-text/10" />
    </div>
  );
}
