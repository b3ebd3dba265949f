import { type SearchArea, searchAreas } from "@/lib/core/kinds/search-field";

export interface SearchChoices {
  matchCase: boolean;
  pattern: boolean;
  areas: ReadonlySet<SearchArea>;
}

const areaLabels: Record<SearchArea, string> = {
  names: "Names",
  instructions: "Instructions",
  tools: "Tools",
  models: "Models",
  other: "Other text",
};

export function SearchOptions({
  choices,
  onChange,
}: {
  choices: SearchChoices;
  onChange(choices: SearchChoices): void;
}) {
  const { areas, matchCase, pattern } = choices;
  return (
    <fieldset className="flex flex-wrap gap-1" aria-label="Search in">
      {searchAreas.map((area) => (
        <Choice
          key={area}
          label={areaLabels[area]}
          pressed={areas.has(area)}
          onPress={() => {
            const next = new Set(areas);
            if (!next.delete(area)) next.add(area);
            onChange({ ...choices, areas: next });
          }}
        />
      ))}
      <Choice label="Match case" pressed={matchCase} onPress={() => onChange({ ...choices, matchCase: !matchCase })} />
      <Choice label="Pattern" pressed={pattern} onPress={() => onChange({ ...choices, pattern: !pattern })} />
    </fieldset>
  );
}

function Choice({ label, pressed, onPress }: { label: string; pressed: boolean; onPress(): void }) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className="h-6 rounded-full border border-line-strong px-2 text-[11px] text-text-muted hover:bg-surface-hover aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
    >
      {label}
    </button>
  );
}
