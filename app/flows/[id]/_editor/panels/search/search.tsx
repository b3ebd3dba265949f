import { lazy, Suspense, useEffect, useState } from "react";
import { loadPart } from "@/app/_ui/loading/load-part";
import { useSession } from "../../state/session-context";
import { closeSearch, type FirstSearch, findFieldAttributes, focusFindField } from "./find-field";

const SearchPanel = lazy(() => loadPart(() => import("./search-panel")));

/** Its field takes keys at once; what was typed until the panel has loaded is searched by the panel. */
export function Search() {
  const [first, setFirst] = useState<FirstSearch>({ text: "", steps: 0 });
  return (
    <Suspense fallback={<FirstField first={first} onChange={setFirst} />}>
      <SearchPanel first={first} />
    </Suspense>
  );
}

function FirstField({ first, onChange }: { first: FirstSearch; onChange(first: FirstSearch): void }) {
  const session = useSession();
  useEffect(focusFindField, []);
  return (
    <search
      aria-label="Find in this flow"
      className="absolute top-3 right-3 z-20 flex w-[min(380px,calc(100%-24px))] rounded-lg border border-line bg-surface-raised p-2 shadow-popover"
    >
      <input
        {...findFieldAttributes}
        value={first.text}
        onChange={(event) => onChange({ text: event.target.value, steps: 0 })}
        onKeyDown={({ key, shiftKey }) => {
          if (key === "Escape") closeSearch(session);
          if (key === "Enter") onChange({ ...first, steps: first.steps + (shiftKey ? -1 : 1) });
        }}
      />
    </search>
  );
}
