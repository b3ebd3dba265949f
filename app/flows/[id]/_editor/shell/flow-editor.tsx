"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useEffect, useState } from "react";
import { useStore } from "zustand";
import { CanvasContext } from "@/app/_canvas/state/canvas-session";
import { afterPaint } from "@/app/_ui/loading/after-paint";
import { loadPart } from "@/app/_ui/loading/load-part";
import { toast } from "@/app/_ui/toast/toast";
import { DslBar } from "../panels/bar/dsl-bar";
import { Canvas } from "../panels/canvas/canvas";
import { useClipboard } from "../panels/canvas/use-clipboard";
import { Inspector } from "../panels/inspector/inspector";
import { RunStrip } from "../panels/run/run-strip";
import { runPanelId } from "../panels/run/run-summary";
import { TextPreview } from "../panels/text/text-preview";
import { loadEditing, loadEditingPart } from "../state/editing/editing";
import { PictureContext } from "../state/picture-context";
import { createSession, type Seed, type Session, type SessionPorts } from "../state/session";
import { SessionContext } from "../state/session-context";
import { startSession } from "../state/start-session";
import { announceEditor } from "./announce/announce-editor";
import { LiveRegion } from "./announce/live-region";
import { EditorHeader } from "./header/editor-header";
import { Panes } from "./panes";
import { Surfaces } from "./surfaces";
import { useEditorShortcuts } from "./use-editor-shortcuts";
import { useLeaveGuard } from "./use-leave-guard";

const TextPane = dynamic(() => afterPaint().then(() => loadEditingPart(() => import("../panels/text/text-pane"))), {
  ssr: false,
  loading: () => <TextPreview />,
});

const OutlinePane = dynamic(() => loadPart(() => import("../panels/outline/outline-pane")), {
  ssr: false,
  loading: () => <p className="p-3 text-xs text-text-muted">Loading the outline…</p>,
});

const CommentCounter = dynamic(() => loadPart(() => import("../panels/comments/comment-counter")), { ssr: false });

const RunFollower = dynamic(() => loadPart(() => import("../panels/run/run-follower")), { ssr: false });

const RunPanel = dynamic(() => loadPart(() => import("../panels/run/run-panel")), {
  ssr: false,
  loading: () => (
    <p id={runPanelId} className="p-3 text-xs text-text-muted">
      Opening the run…
    </p>
  ),
});

interface FlowEditorProps {
  seed: Seed;
  /** The flow, drawn by the server: on screen until the canvas is. */
  picture?: ReactNode;
  ports?: SessionPorts;
  children?: ReactNode;
}

/** The editor of one flow. Its key has to be the id of the flow, because it keeps its state until it unmounts. */
export function FlowEditor(props: FlowEditorProps) {
  const [canOpen, setCanOpen] = useState(props.seed.packedReading !== null);
  useEffect(() => {
    if (!canOpen) void loadEditing().then(() => setCanOpen(true));
  }, [canOpen]);
  if (canOpen) return <OpenFlowEditor {...props} />;
  return (
    <p role="status" className="flex h-full items-center justify-center bg-canvas text-sm text-text-muted">
      Reading the flow…
    </p>
  );
}

function OpenFlowEditor({ seed, picture, ports, children }: FlowEditorProps) {
  const [session] = useState(() => createSession(seed, toast, ports));
  const savesToServer = ports?.wire === undefined;
  useEffect(() => announceEditor(session.announcer, session.editor), [session]);
  useEffect(() => startSession(session, savesToServer), [session, savesToServer]);
  useLeaveGuard(session);
  useEditorShortcuts(session);
  useClipboard(session);
  return (
    <SessionContext value={session}>
      <CanvasContext value={session}>
        <PictureContext value={picture}>
          <Layout session={session} />
        </PictureContext>
        {savesToServer && <CommentsOnceReady session={session} />}
        {children}
      </CanvasContext>
    </SessionContext>
  );
}

/** No sooner: the flow and what changes it come first. */
const CommentsOnceReady = ({ session }: { session: Session }) =>
  useStore(session.view, ({ editing }) => editing === "ready") && <CommentCounter />;

function Layout({ session }: { session: Session }) {
  const run = useStore(session.view, (view) => view.run);
  const isRunOpen = useStore(session.view, (view) => view.runPanel !== "closed");
  return (
    <div className="flex h-full min-h-0 flex-col">
      <EditorHeader />
      <Panes
        outline={<OutlinePane />}
        text={<TextPane />}
        canvas={
          <div className="flex h-full min-h-0 flex-col">
            <DslBar />
            <Canvas />
          </div>
        }
        inspector={
          <div className="flex h-full min-h-0 flex-col">
            <Inspector />
          </div>
        }
        run={run === null || !isRunOpen ? null : <RunPanel key={run} runId={run} />}
        strip={<RunStrip />}
      />
      {run !== null && <RunFollower key={run} runId={run} />}
      <Surfaces />
      <LiveRegion />
    </div>
  );
}
