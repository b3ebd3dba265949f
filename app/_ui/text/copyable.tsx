import type { ReactNode } from "react";
import { CopyButton } from "../controls/copy-button";

/** A value in one line, to be copied. */
export const CopyableValue = ({ value, label }: { value: string; label: string }) => (
  <div className="flex items-center gap-1 rounded-md border bg-surface-sunken py-0.5 pr-0.5 pl-2">
    <code className="min-w-0 flex-1 font-mono text-xs [overflow-wrap:anywhere]">{value}</code>
    <CopyButton text={value} label={label} />
  </div>
);

/** What to enter in a shell to try something. */
export const ShellExample = ({ text, children }: { text: string; children?: ReactNode }) => (
  <div>
    <div className="flex items-center justify-between gap-2">
      <h3 className="font-medium">Try it</h3>
      <CopyButton text={text} label="Copy the example" />
    </div>
    {children}
    <pre
      // A region that scrolls is reached by keyboard.
      tabIndex={0}
      className="mt-2 overflow-x-auto rounded-md border bg-surface-sunken p-3 font-mono text-xs"
    >
      {text}
    </pre>
  </div>
);
