/**
 * Returns a function that gives the ids of new notes. No one else gives the same: two people add notes while they are apart. Those
 * of one session are in the order in which they were given.
 */
export function createNoteIds(): () => string {
  const session = Math.random().toString(36).slice(2, 10);
  let count = 0;
  return () => `note_${session}_${++count}`;
}
