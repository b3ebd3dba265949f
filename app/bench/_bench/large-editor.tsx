"use client";

import { type ReactNode, useEffect, useState } from "react";
import { FlowEditor } from "@/app/flows/[id]/_editor/shell/flow-editor";
import type { SaveWire } from "@/app/flows/[id]/_editor/state/save/autosave-driver";
import type { Seed } from "@/app/flows/[id]/_editor/state/session";
import { useSession } from "@/app/flows/[id]/_editor/state/session-context";
import { playStatuses } from "./play-statuses";
import type { BenchQuery } from "./read-query";
import { tellWhenReady } from "./signal-ready";

const noWire: SaveWire = {
  save: async () => ({ type: "succeeded", revision: "bench" }),
  current: async () => null,
};

interface LargeEditorProps {
  seed: Seed;
  picture: ReactNode;
  query: BenchQuery;
  text: boolean;
}

export function LargeEditor({ seed, picture, query, text }: LargeEditorProps) {
  const [ports] = useState({ wire: noWire, view: { textOpen: text, inspectorOpen: text } });
  return (
    <FlowEditor seed={seed} picture={picture} ports={ports}>
      <Driver query={query} />
    </FlowEditor>
  );
}

function Driver({ query }: { query: BenchQuery }) {
  const session = useSession();
  const { live, near } = query;
  useEffect(() => {
    const { nodes } = session.editor.store.getState().arrangement;
    const keys = nodes.flatMap((node) => (node.frame ? [] : [node.key]));
    let stopPlaying = (): void => {};
    // Not before: the view follows a run, and would never come to rest.
    const stopWaiting = tellWhenReady(session, near, () => {
      stopPlaying = playStatuses(keys, live, (update) => session.statuses.setState(update, true));
    });
    return () => {
      stopWaiting();
      stopPlaying();
    };
  }, [session, live, near]);
  return null;
}
