"use client";

import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/app/_ui/controls/button";
import { IconButton } from "@/app/_ui/controls/icon-button";
import { searchAreas } from "@/lib/core/kinds/search-field";
import { type Hit, mostHits, replaceHits, searchFlow, toFinder } from "@/lib/core/source/query/search-flow";
import { useEditorState, useSession } from "../../state/session-context";
import { HitList } from "./hit-list";
import { MatchHighlights } from "./match-highlights";
import { type SearchChoices, SearchOptions } from "./search-options";
import { showHit } from "./show-hit";

const inputLook =
  "h-8 min-w-0 flex-1 rounded-md border border-line-strong bg-surface px-2 text-[13px] placeholder:text-text-faint";
const startChoices: SearchChoices = { matchCase: false, pattern: false, areas: new Set(searchAreas) };

export default function SearchPanel() {
  const session = useSession();
  const { view, commands, notify } = session;
  const flow = useEditorState((state) => state.flow);
  const [text, setText] = useState("");
  const [by, setBy] = useState("");
  const [choices, setChoices] = useState(startChoices);
  const [at, setAt] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const finder = toFinder({ text, ...choices });
  const hits = finder?.ok ? searchFlow(flow, finder.find, choices.areas) : [];

  const show = (index: number): void => {
    const next = (index + hits.length) % Math.max(1, hits.length);
    const hit = hits[next];
    if (!hit) return;
    setAt(next);
    showHit(session, hit);
  };
  const replace = (chosen: readonly Hit[]): void => {
    const edits = replaceHits(flow, chosen, by);
    if (edits.length === 0) notify.info("There is nothing to change here.");
    else commands.edit(...edits);
    // The pressed button may be disabled now.
    input.current?.focus();
  };
  const close = (): void => {
    view.setState({ surface: null });
    document.getElementById("flow-canvas")?.focus();
  };

  return (
    <search
      aria-label="Find in this flow"
      className="absolute top-3 right-3 z-20 flex max-h-[calc(100%-24px)] w-[min(380px,calc(100%-24px))] flex-col rounded-lg border border-line bg-surface-raised shadow-popover"
      onKeyDown={(event) => {
        const isTyping = event.target instanceof HTMLInputElement;
        if (event.key === "Escape") close();
        else if (!isTyping && event.key === "n") show(at + 1);
        else if (!isTyping && event.key === "N") show(at - 1);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <MatchHighlights hits={hits} />
      <div className="grid shrink-0 grid-cols-1 gap-1.5 border-b border-line p-2">
        <div className="flex min-w-0 items-center gap-0.5">
          <input
            ref={input}
            type="text"
            aria-label="Find"
            placeholder="Find"
            autoComplete="off"
            spellCheck={false}
            value={text}
            aria-invalid={finder !== null && !finder.ok}
            onChange={(event) => {
              setText(event.target.value);
              setAt(-1);
            }}
            onKeyDown={(event) => event.key === "Enter" && show(event.shiftKey ? at - 1 : at + 1)}
            className={inputLook}
          />
          <IconButton label="Previous (Shift Enter)" disabled={hits.length === 0} onClick={() => show(at - 1)}>
            <ChevronUp size={15} aria-hidden />
          </IconButton>
          <IconButton label="Next (Enter)" disabled={hits.length === 0} onClick={() => show(at + 1)}>
            <ChevronDown size={15} aria-hidden />
          </IconButton>
          <IconButton label="Close search" onClick={close}>
            <X size={15} aria-hidden />
          </IconButton>
        </div>
        <div className="flex min-w-0 items-center gap-1.5">
          <input
            type="text"
            aria-label="Replace with"
            placeholder="Replace with"
            autoComplete="off"
            spellCheck={false}
            value={by}
            onChange={(event) => setBy(event.target.value)}
            className={inputLook}
          />
          <Button size="small" disabled={at < 0 || !hits[at]} onClick={() => replace(hits.slice(at, at + 1))}>
            Replace
          </Button>
          <Button size="small" disabled={hits.length === 0} onClick={() => replace(hits)}>
            {hits.length > 0 ? `Replace all ${hits.length}` : "Replace all"}
          </Button>
        </div>
        <SearchOptions choices={choices} onChange={setChoices} />
        <p role="status" className="min-h-4 text-xs leading-4 text-text-muted">
          {finder && !finder.ok ? <span className="text-danger">{finder.message}</span> : describe(text, hits, at)}
        </p>
      </div>
      <HitList hits={hits} at={at} onPick={show} />
    </search>
  );
}

function describe(text: string, hits: readonly Hit[], at: number): string {
  if (text === "") return "Type what to look for.";
  if (hits.length === 0) return "Nothing was found.";
  const cards = new Set(hits.map(({ owner }) => owner)).size;
  const count = hits.length === mostHits ? `the first ${mostHits}` : String(hits.length);
  const found = at < 0 ? count : `${at + 1} of ${count}`;
  return `${found} ${hits.length === 1 ? "place" : "places"} in ${cards === 1 ? "1 card" : `${cards} cards`}`;
}
