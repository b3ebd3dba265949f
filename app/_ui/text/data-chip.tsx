import { FileDigit } from "lucide-react";
import { formatBytes } from "../format/format";
import { type EmbeddedData, toPicture } from "./embedded-data";

interface DataChipProps {
  data: EmbeddedData;
  original: string;
  pictures?: boolean;
}

export function DataChip({ data, original, pictures = true }: DataChipProps) {
  const picture = pictures ? toPicture(data, original) : null;
  return (
    <span
      data-chip
      className="inline-flex max-w-full items-center gap-1 rounded border border-line-strong bg-surface-sunken px-1 align-middle font-mono text-text-muted text-xs leading-4"
    >
      {picture === null ? (
        <FileDigit size={12} aria-hidden className="shrink-0" />
      ) : (
        <img src={picture} alt="" className="my-0.5 h-8 max-w-32 object-contain" />
      )}
      <span className="truncate">
        {data.type} · {formatBytes(data.bytes)}
      </span>
    </span>
  );
}
