import { DataChip } from "./data-chip";
import { type MarkedText, splitMarks } from "./embedded-data";

interface MarkedSegmentsProps {
  text: string;
  source: MarkedText;
  pictures?: boolean;
}

export function MarkedSegments({ text, source, pictures = true }: MarkedSegmentsProps) {
  const pieces = splitMarks(text, source);
  return (
    <>
      {Array.from(pieces.entries(), ([index, segment]) =>
        typeof segment === "string" ? (
          segment
        ) : (
          <DataChip key={index} data={segment} original={source.original} pictures={pictures} />
        ),
      )}
    </>
  );
}
