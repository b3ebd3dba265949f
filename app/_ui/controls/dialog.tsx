import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type ComponentProps, type ReactNode, type RefObject, useRef } from "react";

interface DialogProps extends Pick<ComponentProps<typeof Base.Root>, "open" | "onOpenChange"> {
  title: string;
  description?: string;
  children: ReactNode;
  /** `gallery`: as wide as three columns of pictures, and as high as it may be: its content changes. */
  wide?: boolean | "gallery";
  /** What gets the focus first; missing: the dialog itself, so that no control is marked before a key is pressed. */
  firstFocus?: RefObject<HTMLElement | null>;
}

export function Dialog({ title, description, children, wide = false, firstFocus, ...rootProps }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root {...rootProps}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Base.Popup
          ref={popup}
          initialFocus={firstFocus ?? popup}
          className={`fixed outline-none top-1/2 left-1/2 z-50 flex max-h-[90dvh] w-[calc(100vw-24px)] -translate-x-1/2 -translate-y-1/2 flex-col overflow-hidden rounded-lg border border-line bg-surface-raised shadow-popover ${wide === "gallery" ? "h-[90dvh] max-w-7xl" : wide ? "max-w-5xl" : "max-w-lg"}`}
        >
          <div className="flex items-start gap-3 px-4 pt-4">
            <div className="min-w-0 flex-1">
              <Base.Title className="font-semibold text-base">{title}</Base.Title>
              {description && (
                <Base.Description className="mt-1 text-pretty text-text-muted">{description}</Base.Description>
              )}
            </div>
            <Base.Close
              aria-label="Close"
              className="inline-flex size-7 items-center justify-center rounded-md text-text-muted hover:bg-surface-hover"
            >
              <X size={16} aria-hidden />
            </Base.Close>
          </div>
          <div className="min-h-0 flex-1 scroll-pb-16 overflow-auto p-4">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** Stays visible at the foot of a dialog that scrolls; content fades out above it. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="sticky -bottom-4 z-10 -mx-4 mt-4 -mb-4 flex flex-wrap justify-end gap-2 bg-surface-raised px-4 pb-4 shadow-[0_-8px_8px_var(--surface-raised),0_4px_0_var(--surface-raised)]">
      {children}
    </div>
  );
}
