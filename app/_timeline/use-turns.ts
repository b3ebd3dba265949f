"use client";
import { useEffect, useState, useSyncExternalStore } from "react";
import { type FeedState, TurnFeed } from "./turn-feed";
import type { TurnSource } from "./turn-source";

/** The conversation of a source as far as it was asked for; while `live` what is new comes by itself, to the last word. */
export function useTurns(source: TurnSource, live: boolean): FeedState & { load(): void } {
  const [held, hold] = useState(() => new TurnFeed(source));
  const feed = held.source === source ? held : new TurnFeed(source);
  if (feed !== held) hold(feed);
  const state = useSyncExternalStore(feed.subscribe, feed.getState, feed.getState);
  // Also when the run has ended: a page that was asked for before that may lack its last words.
  useEffect(() => {
    feed.follow(live);
    return () => feed.stop();
  }, [feed, live]);
  return { ...state, load: () => feed.load() };
}
