import type { FlowDirection } from "../flow/edit";
import { gap } from "./arrangement";
import { type Box, isEmpty, type ListBox, type Sized, sizeList } from "./build-boxes";

/** Whether a box can be continued in further lines. */
export const canWrap = (box: Box): box is ListBox => box.type === "serial" && box.linked && !isEmpty(box);

/**
 * The members of a serial in lines of at most `length` pixels, in order; each line takes as many as fit, and at least
 * one. A repeated name, which takes no space, never begins a line.
 */
export function wrapLines(serial: ListBox, direction: FlowDirection, length: number): ListBox[] {
  const lines: Box[][] = [];
  let end = 0;
  for (const member of serial.members) {
    const size = lengthOf(member, direction);
    const isFirst = lines.length === 0;
    if (isFirst || (!isEmpty(member) && end > 0 && end + serial.space + size > length)) {
      lines.push([member]);
      end = size;
    } else {
      lines.at(-1)?.push(member);
      if (!isEmpty(member)) end += (end > 0 ? serial.space : 0) + size;
    }
  }
  return lines.map((members) => ({ ...serial, members, ...sizeList({ ...serial, members }) }));
}

/** The size of lines one after the other, across the flow. */
export function sizeLines(lines: readonly Sized[], direction: FlowDirection): Sized {
  let [width, height] = [0, 0];
  const between = gap.lines * Math.max(0, lines.length - 1);
  for (const line of lines) {
    width = direction === "right" ? Math.max(width, line.width) : width + line.width;
    height = direction === "right" ? height + line.height : Math.max(height, line.height);
  }
  return direction === "right" ? { width, height: height + between } : { width: width + between, height };
}

const lengthOf = (box: Sized, direction: FlowDirection): number => (direction === "right" ? box.width : box.height);
