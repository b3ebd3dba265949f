import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { fromBeginning, fromEnd, type TurnSource } from "../source/turn-source";
import { TurnFeed } from "./turn-feed";

const wholeRun = 1;

const createFeed = (source: TurnSource, live: boolean, selected: number | null): TurnFeed => {
  const isOne = selected !== null && selected !== wholeRun;
  return new TurnFeed(source, isOne ? { node: selected } : live ? fromEnd : fromBeginning);
};

/**
 * The part of a conversation with the turns of the selected step; without one its beginning, or its end while the run
 * is live. While `live`, new turns are loaded to the last one.
 */
export function useTurns(source: TurnSource, live: boolean, selected: number | null) {
  const [storedFeed, setFeed] = useState(() => createFeed(source, live, selected));
  const feed = storedFeed.source === source ? storedFeed : createFeed(source, live, selected);
  if (feed !== storedFeed) setFeed(feed);
  const state = useSyncExternalStore(feed.subscribe, feed.getState, feed.getState);
  // Also after the run ended: a page requested before that may lack its last turns.
  useEffect(() => {
    feed.follow(live);
    return () => feed.stop();
  }, [feed, live]);
  const lastSelected = useRef(selected);
  useEffect(() => {
    if (lastSelected.current === selected) return;
    lastSelected.current = selected;
    if (selected !== null) feed.show(selected);
  }, [feed, selected]);
  const { open, load, loadEarlier, resume } = feed;
  const isReady = !state.isLoading && state.problem === null;
  return {
    ...state,
    open,
    resume,
    /** Null: there is nothing more to load, or not now. */
    loadNext: state.hasMore && isReady ? load : null,
    loadEarlier: state.hasEarlier && isReady ? loadEarlier : null,
  };
}

export type Turns = ReturnType<typeof useTurns>;
