import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";

export interface Tab {
  id: string;
  label: string;
  content: ReactNode;
}

export function Tabs({
  label,
  tabs,
  value,
  onChange,
  after,
}: {
  label: string;
  tabs: readonly Tab[];
  value: string;
  onChange(id: string): void;
  /** At the end of the list. */
  after?: ReactNode;
}) {
  return (
    <Base.Root value={value} onValueChange={(id: string) => onChange(id)} className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-center border-b px-2">
        <Base.List aria-label={label} className="flex min-w-0 gap-1 overflow-x-auto">
          {tabs.map(({ id, label: text }) => (
            <Base.Tab
              key={id}
              value={id}
              className="-mb-px h-9 min-w-12 truncate border-transparent border-b-2 px-2 font-medium text-text-muted outline-offset-[-2px] hover:text-text data-active:shrink-0 data-active:border-accent data-active:text-text"
            >
              {text}
            </Base.Tab>
          ))}
        </Base.List>
        {after}
      </div>
      {tabs.map(({ id, content }) => (
        <Base.Panel key={id} value={id} className="min-h-0 flex-1 overflow-auto outline-offset-[-2px]">
          {content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
