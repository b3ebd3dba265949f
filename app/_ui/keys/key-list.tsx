import type { ReactNode } from "react";
import { Keys } from "./keys";
import { switchSingleKeys, useSingleKeys } from "./single-keys";

export function KeyList({ rows }: { rows: readonly { keys: string; title: string }[] }) {
  return (
    <dl>
      {rows.map(({ title, keys }) => (
        <div key={title} className="flex min-h-7 items-center gap-4 border-line border-t py-1 text-xs">
          <dt className="min-w-0 text-text-muted">{title}</dt>
          <dd className="ml-auto">
            <Keys keys={keys} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function SingleKeysSwitch({ children }: { children: ReactNode }) {
  const singleKeys = useSingleKeys();
  return (
    <label className="flex min-h-6 items-center gap-2">
      <input
        type="checkbox"
        checked={singleKeys}
        onChange={(event) => switchSingleKeys(event.target.checked)}
        className="size-4 accent-accent"
      />
      {children}
    </label>
  );
}
