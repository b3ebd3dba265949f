import { useOnViewportChange, useReactFlow, useStore, useStoreApi, ViewportPortal } from "@xyflow/react";
import { useEffect } from "react";
import { boxOf } from "@/app/_canvas/scene/notes";
import { Button } from "@/app/_ui/controls/button";
import type { CanvasBox } from "@/lib/core/layout/scene/canvas-box";
import type { Peer } from "@/lib/core/live/messages";
import { useEditorState, useLive, useSession } from "../../state/session-context";
import { colorOfPeer, nameOfPeer, shortNameOf } from "./describe-peer";

/** How long a view takes to get to where the followed one is. */
const followMs = 150;

/** What others point at, have selected and drag; and the view of the one who is followed. */
export default function RemoteCanvas() {
  const peers = useLive((state) => state.peers);
  const self = useLive((state) => state.self);
  const followed = useLive(({ following }) => peers.find(({ id }) => id === following));
  useOwnPresence();
  return (
    <>
      <ViewportPortal>
        {peers.map((peer) => (
          <Selection key={peer.id} peer={peer} self={self} />
        ))}
        {peers.map((peer) => (
          <Cursor key={peer.id} peer={peer} self={self} />
        ))}
      </ViewportPortal>
      {followed && <FollowedView peer={followed} name={nameOfPeer(followed, self)} />}
    </>
  );
}

interface PeerProps {
  peer: Peer;
  self: Peer | null;
}

function Selection({ peer, self }: PeerProps) {
  const picture = useEditorState((state) => state);
  const { selection = [], drag = null } = peer.presence ?? {};
  const color = colorOfPeer(peer);
  const boxes = selection.flatMap((key) => {
    const box = boxOf(picture, key);
    return box ? [{ key, box: moveBox(box, drag?.keys.includes(key) ? drag : { dx: 0, dy: 0 }) }] : [];
  });
  return boxes.map(({ key, box }, index) => (
    <div
      key={key}
      aria-hidden
      data-testid="remote-selection"
      className={`pointer-events-none absolute top-0 left-0 z-10 rounded-lg outline-2 outline-offset-2 ${drag?.keys.includes(key) ? "outline-dashed" : ""}`}
      style={{
        transform: `translate(${box.x}px, ${box.y}px)`,
        width: box.width,
        height: box.height,
        outlineColor: color,
      }}
    >
      {index === 0 && (
        <span
          className="absolute right-0 bottom-full mb-1 max-w-full truncate rounded px-1 font-medium text-[10px] text-on-agent leading-4"
          style={{ background: color }}
        >
          {shortNameOf(peer, self)}
        </span>
      )}
    </div>
  ));
}

const moveBox = ({ x, y, width, height }: CanvasBox, { dx, dy }: { dx: number; dy: number }): CanvasBox => ({
  x: x + dx,
  y: y + dy,
  width,
  height,
});

/** Moves on to each new position in the time between two: the pointer is seen in motion. */
function Cursor({ peer, self }: PeerProps) {
  const zoom = useStore(({ transform }) => transform[2]);
  const pointer = peer.presence?.pointer;
  if (!pointer) return null;
  const color = colorOfPeer(peer);
  return (
    <div
      aria-hidden
      data-testid="remote-cursor"
      className="pointer-events-none absolute top-0 left-0 z-30 transition-transform duration-75 ease-linear motion-reduce:transition-none"
      style={{ transform: `translate(${pointer.x}px, ${pointer.y}px)` }}
    >
      <div className="origin-top-left" style={{ transform: `scale(${1 / zoom})` }}>
        <svg width="16" height="18" viewBox="0 0 16 18" aria-hidden>
          <path d="M1 1l5.2 15 2.5-6.4L15 7.3z" fill={color} stroke="var(--surface)" strokeWidth="1.2" />
        </svg>
        <span
          className="absolute top-4 left-3 max-w-32 truncate rounded px-1.5 font-medium text-[11px] text-on-agent leading-[18px]"
          style={{ background: color }}
        >
          {shortNameOf(peer, self)}
        </span>
      </div>
    </div>
  );
}

function FollowedView({ peer, name }: { peer: Peer; name: string }) {
  const { live, camera } = useSession();
  const { setCenter } = useReactFlow();
  const view = peer.presence?.view;
  useEffect(() => camera.onUserMove(() => live.follow(null)), [camera, live]);
  useEffect(() => {
    if (!view) return;
    camera.setAutomatic(false);
    void setCenter(view.x, view.y, { zoom: view.zoom, duration: followMs });
  }, [view, camera, setCenter]);
  return (
    <div
      className="pointer-events-none absolute inset-0 z-20 border-2"
      style={{ borderColor: colorOfPeer(peer) }}
      data-testid="followed-view"
    >
      <p
        role="status"
        className="pointer-events-auto absolute top-2 left-1/2 flex -translate-x-1/2 items-center gap-2 rounded-md border border-line bg-surface py-0.5 pr-0.5 pl-2.5 text-xs shadow-popover"
      >
        Following {name}
        <Button variant="ghost" size="small" onClick={() => live.follow(null)}>
          Stop
        </Button>
      </p>
    </div>
  );
}

/** Tells the others where the pointer is, and which part of the flow is shown. */
function useOwnPresence(): void {
  const { live } = useSession();
  const { screenToFlowPosition } = useReactFlow();
  const flow = useStoreApi();
  useEffect(() => {
    const surface = document.getElementById("flow-canvas");
    const point = ({ clientX, clientY }: PointerEvent): void =>
      live.tell({ pointer: screenToFlowPosition({ x: clientX, y: clientY }, { snapToGrid: false }) });
    const leave = (): void => live.tell({ pointer: null });
    live.tell({ view: toView(flow.getState()) });
    surface?.addEventListener("pointermove", point, { passive: true });
    surface?.addEventListener("pointerleave", leave);
    return () => {
      surface?.removeEventListener("pointermove", point);
      surface?.removeEventListener("pointerleave", leave);
    };
  }, [live, flow, screenToFlowPosition]);
  useOnViewportChange({ onChange: () => live.tell({ view: toView(flow.getState()) }) });
}

interface FlowView {
  width: number;
  height: number;
  transform: readonly [number, number, number];
}

const toView = ({ width, height, transform: [x, y, zoom] }: FlowView) => ({
  x: (width / 2 - x) / zoom,
  y: (height / 2 - y) / zoom,
  zoom,
});
