import type { ReactNode } from "react";
import { walkTabs } from "@/app/_ui/controls/walk-tabs";

export interface InspectorTab<Id extends string> {
  id: Id;
  label: string;
  content: ReactNode;
  /** Stays in view below the scrolled content. */
  foot?: ReactNode;
}

interface InspectorTabsProps<Id extends string> {
  label: string;
  tabs: readonly InspectorTab<Id>[];
  active: NoInfer<Id>;
  onChange(id: NoInfer<Id>): void;
}

/** One scroll area for everything between the tabs and the foot. */
export function InspectorTabs<Id extends string>({ label, tabs, active, onChange }: InspectorTabsProps<Id>) {
  const shownTab = tabs.find(({ id }) => id === active) ?? tabs[0];
  if (!shownTab) return null;
  return (
    <>
      <div
        role="tablist"
        aria-label={label}
        onKeyDown={walkTabs}
        className="flex h-9 shrink-0 gap-3 border-line border-b px-3"
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`inspector-tab-${tab.id}`}
            aria-selected={tab === shownTab}
            aria-controls="inspector-panel"
            tabIndex={tab === shownTab ? 0 : -1}
            onClick={() => onChange(tab.id)}
            className="-mb-px border-transparent border-b-2 font-medium text-text-muted -outline-offset-2 transition-colors hover:text-text aria-selected:border-accent aria-selected:text-text"
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div
        id="inspector-panel"
        role="tabpanel"
        aria-labelledby={`inspector-tab-${shownTab.id}`}
        className="min-h-0 flex-1 overflow-y-auto p-3"
      >
        {shownTab.content}
      </div>
      {shownTab.foot}
    </>
  );
}
