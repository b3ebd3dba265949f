import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, useState } from "react";
import { formatCount } from "@/lib/core/flow/format-count";
import { Button } from "../../_ui/controls/button";
import { type MarkedText, markData } from "../../_ui/text/embedded-data";
import { MarkedSegments } from "../../_ui/text/marked-text";
import { useWidth } from "../hooks/use-environment";
import { joinRows, type TextRows, toTextRows } from "./text-rows";

/** Of one character and one row of the monospace text, in px. */
const characterWidth = 7.22;
const rowHeight = 20;
/** Left and right of the text, in px. */
const padding = 12;
const blockRows = 50;
/** Most rows in one list: browsers draw nothing that is higher than some 17 million px. */
const pageRows = 500_000;

export function TextViewer({ text, label }: { text: string; label: string }) {
  const [page, setPage] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller, 600);
  const marked = markData(text);
  const rows = toTextRows(marked.text, (width - 2 * padding) / characterWidth);
  const pageCount = Math.ceil(rows.starts.length / pageRows);
  const current = Math.min(page, pageCount - 1);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {pageCount > 1 && (
        <div className="flex flex-wrap items-center gap-2 border-line border-b px-3 py-1 text-text-muted">
          Part {formatCount(current + 1)} of {formatCount(pageCount)}
          <Button size="small" disabled={current === 0} onClick={() => setPage(current - 1)}>
            Previous part
          </Button>
          <Button size="small" disabled={current === pageCount - 1} onClick={() => setPage(current + 1)}>
            Next part
          </Button>
        </div>
      )}
      <div
        ref={scroller}
        role="region"
        aria-label={label}
        tabIndex={0}
        className="min-h-0 flex-1 overflow-auto bg-surface-sunken -outline-offset-2"
      >
        <Blocks key={current} scroller={scroller} rows={rows} marked={marked} firstRow={current * pageRows} />
      </div>
    </div>
  );
}

interface BlocksProps {
  scroller: React.RefObject<HTMLElement | null>;
  rows: TextRows;
  marked: MarkedText;
  firstRow: number;
}

function Blocks({ scroller, rows, marked, firstRow }: BlocksProps) {
  "use no memo"; // The virtualizer is mutable.
  const count = Math.min(rows.starts.length - firstRow, pageRows);
  const virtual = useVirtualizer({
    count: Math.ceil(count / blockRows),
    getScrollElement: () => scroller.current,
    estimateSize: (block) => Math.min(blockRows, count - block * blockRows) * rowHeight,
    overscan: 1,
    initialRect: { width: 600, height: 800 },
  });
  return (
    <div className="relative" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, start }) => {
        const blockStart = firstRow + index * blockRows;
        return (
          <pre
            key={index}
            className="absolute top-0 left-0 min-w-full font-mono text-xs leading-5"
            style={{ transform: `translateY(${start}px)`, paddingInline: padding }}
          >
            <MarkedSegments
              text={joinRows(rows, blockStart, Math.min(blockStart + blockRows, firstRow + count))}
              source={marked}
              pictures={false}
            />
          </pre>
        );
      })}
    </div>
  );
}
