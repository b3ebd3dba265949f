/** The key of the link at a point of the window, or of the "+" on it; null where there is none. */
export function findEdgeAt({ x, y }: { x: number; y: number }): string | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const insertButton = element.closest<HTMLElement>(".link-insert")?.dataset.edge;
    const edge = element.closest<SVGElement>(".react-flow__edge")?.dataset.id;
    if (insertButton !== undefined || edge !== undefined) return insertButton ?? edge ?? null;
  }
  return null;
}
