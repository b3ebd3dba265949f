export interface TextPart {
  text: string;
  isCode: boolean;
}

/** The parts of a message: what it puts between backticks is code. */
export const splitCode = (message: string): TextPart[] =>
  message
    .split(/`([^`\n]+)`/)
    .map((text, index) => ({ text, isCode: index % 2 === 1 }))
    .filter(({ text }) => text !== "");

/** A message where only text can be shown: its code in quotes. */
export const toPlainMessage = (message: string): string => message.replace(/`([^`\n]+)`/g, '"$1"');
