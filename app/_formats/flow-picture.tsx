interface FlowPictureProps {
  /** As `exportSvg` draws it: texts in it are escaped. */
  svg: string;
  name: string;
  className: string;
}

const toElement = (svg: string): Element => new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;

/** In the page, not as an image: an image has none of the fonts of the page. */
export const FlowPicture = ({ svg, name, className }: FlowPictureProps) => (
  <div className={`rounded-md border border-line bg-canvas p-2 ${className}`}>
    <div
      ref={(box) => box?.replaceChildren(toElement(svg))}
      role="img"
      aria-label={`Picture of ${name}`}
      className="pointer-events-none flex h-full w-full items-center justify-center [&>svg]:max-h-full [&>svg]:max-w-full"
    />
  </div>
);
