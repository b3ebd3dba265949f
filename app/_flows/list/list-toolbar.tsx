import { ArrowDownWideNarrow, LayoutGrid, List, Search } from "lucide-react";
import type { RefObject } from "react";
import { formatCount } from "@/lib/core/flow/format-count";
import type { FlowCounts } from "@/lib/server/flows/list-flows";
import { ChoiceSwitch } from "../../_ui/controls/choice-switch";
import { Select } from "../../_ui/controls/select";
import { useSearchText } from "../../_ui/controls/use-search-text";
import { Keys } from "../../_ui/keys/keys";
import { flowSortNames, flowsPerStep, isFlowSort, type ListAddress, type ListView } from "./list-address";

interface ListToolbarProps {
  address: ListAddress;
  counts: FlowCounts;
  view: ListView;
  search: RefObject<HTMLInputElement | null>;
  onChange(address: ListAddress): void;
  onView(view: ListView): void;
}

const sortOptions = Object.entries(flowSortNames);
const views = [
  { value: "pictures", label: "Show pictures", icon: LayoutGrid },
  { value: "rows", label: "Show rows", icon: List },
] as const;

export function ListToolbar({ address, counts, view, search, onChange, onView }: ListToolbarProps) {
  const change = (part: Partial<ListAddress>): void => onChange({ ...address, show: flowsPerStep, ...part });
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <SearchField ref={search} value={address.q} onChange={(q) => change({ q })} />
      <TagChips counts={counts} tag={address.tag} onChange={(tag) => change({ tag })} />
      <div className="ml-auto flex shrink-0 items-center gap-3">
        <div className="relative flex items-center text-text-muted">
          <ArrowDownWideNarrow size={14} aria-hidden className="pointer-events-none absolute left-2" />
          <Select
            label="Sort by"
            value={address.sort}
            options={sortOptions}
            onChange={(sort) => isFlowSort(sort) && change({ sort })}
            className="h-8 [field-sizing:content] rounded-md border-transparent bg-transparent! pl-7 font-medium text-text-muted hover:bg-surface-hover!"
          />
        </div>
        <ChoiceSwitch label="View" value={view} choices={views} onChange={onView} />
      </div>
    </div>
  );
}

interface SearchFieldProps {
  ref: RefObject<HTMLInputElement | null>;
  value: string;
  onChange(value: string): void;
}

function SearchField({ ref, value, onChange }: SearchFieldProps) {
  const [text, setText] = useSearchText(value, onChange);
  return (
    <div className="relative w-full sm:w-[329px]">
      <Search size={16} aria-hidden className="pointer-events-none absolute top-2 left-2.5 text-text-faint" />
      <input
        ref={ref}
        type="search"
        aria-label="Search flows"
        aria-keyshortcuts="/"
        placeholder="Search names, agents, instructions"
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && setText("")}
        className="h-8 w-full rounded-md border border-line-input bg-surface pr-2.5 pl-8.5 placeholder-shown:pr-8 placeholder:text-text-faint"
      />
      {text === "" && (
        <span aria-hidden className="pointer-events-none absolute top-1.5 right-2 hidden sm:block">
          <Keys keys="/" />
        </span>
      )}
    </div>
  );
}

interface TagChipsProps {
  counts: FlowCounts;
  tag: string;
  onChange(tag: string): void;
}

function TagChips({ counts, tag, onChange }: TagChipsProps) {
  if (counts.tags.length === 0 && tag === "") return null;
  const isListed = tag === "" || counts.tags.some(({ name }) => name === tag);
  const chips = [
    { name: "", label: "All", count: counts.live },
    ...counts.tags.map(({ name, count }) => ({ name, label: name, count })),
    ...(isListed ? [] : [{ name: tag, label: tag, count: 0 }]),
  ];
  return (
    <fieldset className="flex min-w-0 gap-0.5 overflow-x-auto p-px pr-6 [mask-image:linear-gradient(to_left,transparent,black_24px)] [scrollbar-width:none] max-sm:w-full sm:flex-1">
      <legend className="sr-only">Tags</legend>
      {chips.map(({ name, label, count }) => (
        <button
          key={name}
          type="button"
          aria-pressed={tag === name}
          onClick={() => onChange(tag === name ? "" : name)}
          className="flex h-7 shrink-0 items-baseline gap-1.5 whitespace-nowrap rounded-md px-2.5 font-medium text-text-muted leading-7 hover:bg-surface-hover aria-pressed:bg-surface aria-pressed:text-text aria-pressed:shadow-[0_0_0_1px_var(--line-strong)]"
        >
          {label}
          <span className="font-normal text-[11px] text-text-faint tabular-nums">{formatCount(count)}</span>
        </button>
      ))}
    </fieldset>
  );
}
