import { DataChip } from "./data-chip";
import { type MarkedText, splitMarks } from "./embedded-data";

interface MarkedPiecesProps {
  /** A piece of the marked text. */
  text: string;
  of: MarkedText;
  pictures?: boolean;
}

/** A piece of a text as it is, with chips in the place of data. */
export function MarkedPieces({ text, of, pictures = true }: MarkedPiecesProps) {
  const pieces = splitMarks(text, of);
  return (
    <>
      {Array.from(pieces.entries(), ([place, piece]) =>
        typeof piece === "string" ? (
          piece
        ) : (
          <DataChip key={place} data={piece} original={of.original} pictures={pictures} />
        ),
      )}
    </>
  );
}
