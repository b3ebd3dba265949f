/** A text without the byte order mark that some editors write before it: it is no part of a flow file. */
export const withoutByteOrderMark = (text: string): string => (text.startsWith("\uFEFF") ? text.slice(1) : text);
