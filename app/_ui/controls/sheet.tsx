import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type ReactNode, useRef } from "react";

interface SheetProps {
  onClose(): void;
  title: string;
  /** What gets the focus first; missing: the sheet itself, so that no control is marked before a key is pressed. */
  firstFocus?: () => HTMLElement | null;
  children: ReactNode;
}

export default function Sheet({ onClose, title, firstFocus, children }: SheetProps) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/30" />
        <Base.Popup
          ref={popup}
          initialFocus={firstFocus ?? popup}
          className="fixed inset-x-0 bottom-0 z-50 flex h-[70dvh] flex-col rounded-t-xl border-line border-t bg-surface pb-[env(safe-area-inset-bottom)] shadow-popover outline-none"
        >
          <div className="flex h-11 shrink-0 items-center gap-2 border-line border-b px-3">
            <Base.Title className="min-w-0 flex-1 truncate font-semibold text-sm">{title}</Base.Title>
            <Base.Close
              aria-label="Close"
              className="inline-flex size-9 items-center justify-center rounded-md text-text-muted hover:bg-surface-hover"
            >
              <X size={18} aria-hidden />
            </Base.Close>
          </div>
          <div className="min-h-0 flex-1">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
