import { useId } from "react";
import { CopyButton } from "@/app/_ui/controls/copy-button";
import { inputStyle } from "@/app/_ui/controls/input-style";

/** A link that is shown once. */
export function SecretLink({ label, url }: { label: string; url: string }) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      <div className="flex items-center gap-1">
        <input
          id={id}
          readOnly
          value={url}
          onFocus={({ currentTarget }) => currentTarget.select()}
          className={`${inputStyle} font-mono text-xs`}
        />
        <CopyButton text={url} label="Copy the link" />
      </div>
      <p className="mt-1 text-text-muted text-xs">It is not shown again. Give it to this person only.</p>
    </div>
  );
}
