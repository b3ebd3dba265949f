import { Search } from "lucide-react";
import { useSearchText } from "../../_ui/controls/use-search-text";

export function RunSearch({ value, onChange }: { value: string; onChange(value: string): void }) {
  const [text, setText] = useSearchText(value, onChange);
  return (
    <div className="relative min-w-0 flex-1 max-sm:order-1 max-sm:basis-2/3 sm:max-w-72">
      <Search size={14} aria-hidden className="pointer-events-none absolute top-2 left-2.5 text-text-faint" />
      <input
        type="search"
        aria-label="Search inputs and outputs"
        placeholder="Search inputs and outputs"
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && setText("")}
        className="h-8 w-full rounded-md border border-line-input bg-surface pr-2 pl-8 placeholder:text-text-faint"
      />
    </div>
  );
}
