import { ChevronDown, ChevronUp, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from "react";
import { Button } from "@/app/_ui/controls/button";
import { IconButton } from "@/app/_ui/controls/icon-button";
import { MessageText } from "@/app/_ui/text/message-text";
import { countNouns, formatCount } from "@/lib/core/flow/format-count";
import { searchAreas } from "@/lib/core/kinds/search-field";
import { type Hit, mostHits, replaceHits, searchFlow, toFinder } from "@/lib/core/source/query/search-flow";
import { useEditorState, useSession } from "../../state/session-context";
import { closeSearch, type FirstSearch, fieldAttributes, findFieldAttributes, focusFindField } from "./find-field";
import { HitList, MatchHighlights, showHit } from "./hit-list";
import { type SearchChoices, SearchOptions } from "./search-options";

const initialChoices: SearchChoices = { matchCase: false, pattern: false, areas: new Set(searchAreas) };

export default function SearchPanel({ first }: { first: FirstSearch }) {
  const session = useSession();
  const flow = useEditorState((state) => state.flow);
  const [text, setText] = useState(first.text);
  const [choices, setChoices] = useState(initialChoices);
  const [currentIndex, setCurrentIndex] = useState(-1);
  const finder = toFinder({ text, ...choices });
  const mistake = finder && !finder.ok ? finder.message : null;
  const hits = finder?.ok ? searchFlow(flow, finder.find, choices.areas) : [];

  const show = (index: number): void => {
    const next = (index + hits.length) % Math.max(1, hits.length);
    const hit = hits[next];
    if (!hit) return;
    setCurrentIndex(next);
    showHit(session, hit);
  };
  const takeFirstSteps = useEffectEvent(() => {
    if (first.steps !== 0) show(currentIndex + first.steps);
  });
  useEffect(() => takeFirstSteps(), []);
  const close = (): void => closeSearch(session);
  const onKeyDown = (event: KeyboardEvent): void => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key === "Escape") close();
    else if (!isTyping && event.key === "n") show(currentIndex + 1);
    else if (!isTyping && event.key === "N") show(currentIndex - 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search
      aria-label="Find in this flow"
      className="absolute top-3 right-3 z-20 flex max-h-[calc(100%-24px)] w-[min(380px,calc(100%-24px))] flex-col rounded-lg border border-line bg-surface-raised shadow-popover"
      onKeyDown={onKeyDown}
    >
      <MatchHighlights hits={hits} />
      <div className="grid shrink-0 grid-cols-1 gap-1.5 border-b border-line p-2">
        <FindRow
          text={text}
          isInvalid={mistake !== null}
          canStep={hits.length > 0}
          onChange={(next) => {
            setText(next);
            setCurrentIndex(-1);
          }}
          onStep={(step) => show(currentIndex + step)}
          onClose={close}
        />
        <ReplaceRow hits={hits} current={hits[currentIndex]} onReplaced={focusFindField} />
        <SearchOptions choices={choices} onChange={setChoices} />
        <SearchStatus mistake={mistake} words={describeHits(text, hits, currentIndex)} />
      </div>
      <HitList hits={hits} currentIndex={currentIndex} onPick={show} />
    </search>
  );
}

function SearchStatus({ mistake, words }: { mistake: string | null; words: string }) {
  return (
    <p role="status" className={`min-h-4 text-xs leading-4 ${mistake === null ? "text-text-muted" : "text-danger"}`}>
      {mistake === null ? words : <MessageText text={mistake} />}
    </p>
  );
}

interface FindRowProps {
  text: string;
  isInvalid: boolean;
  canStep: boolean;
  onChange(text: string): void;
  onStep(step: 1 | -1): void;
  onClose(): void;
}

function FindRow({ text, isInvalid, canStep, onChange, onStep, onClose }: FindRowProps) {
  useEffect(focusFindField, []);
  return (
    <div className="flex min-w-0 items-center gap-0.5">
      <input
        {...findFieldAttributes}
        value={text}
        aria-invalid={isInvalid}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && onStep(event.shiftKey ? -1 : 1)}
      />
      <IconButton label="Previous (Shift Enter)" disabled={!canStep} onClick={() => onStep(-1)}>
        <ChevronUp size={15} aria-hidden />
      </IconButton>
      <IconButton label="Next (Enter)" disabled={!canStep} onClick={() => onStep(1)}>
        <ChevronDown size={15} aria-hidden />
      </IconButton>
      <IconButton label="Close search" onClick={onClose}>
        <X size={15} aria-hidden />
      </IconButton>
    </div>
  );
}

interface ReplaceRowProps {
  hits: readonly Hit[];
  current: Hit | undefined;
  /** The pressed button may be disabled afterwards. */
  onReplaced(): void;
}

function ReplaceRow({ hits, current, onReplaced }: ReplaceRowProps) {
  const { actions, editor, notify } = useSession();
  const [replacement, setReplacement] = useState("");
  const replace = (hitsToReplace: readonly Hit[]): void => {
    const edits = replaceHits(editor.store.getState().flow, hitsToReplace, replacement);
    if (edits.length === 0) notify.info("There is nothing to change here.");
    else actions.edit(...edits);
    onReplaced();
  };
  return (
    <div className="flex min-w-0 items-center gap-1.5">
      <input
        {...fieldAttributes}
        aria-label="Replace with"
        placeholder="Replace with"
        value={replacement}
        onChange={(event) => setReplacement(event.target.value)}
      />
      <Button size="small" disabled={!current} onClick={() => replace(current ? [current] : [])}>
        Replace
      </Button>
      <Button size="small" disabled={hits.length === 0} onClick={() => replace(hits)}>
        {hits.length > 0 ? `Replace all ${formatCount(hits.length)}` : "Replace all"}
      </Button>
    </div>
  );
}

function describeHits(text: string, hits: readonly Hit[], currentIndex: number): string {
  if (text === "") return "Type a search term.";
  if (hits.length === 0) return "No matches.";
  const cards = new Set(hits.map(({ owner }) => owner)).size;
  const total = hits.length === mostHits ? `the first ${formatCount(mostHits)}` : formatCount(hits.length);
  const position = currentIndex < 0 ? total : `${formatCount(currentIndex + 1)} of ${total}`;
  return `${position} ${hits.length === 1 ? "place" : "places"} in ${countNouns(cards, "card")}`;
}
