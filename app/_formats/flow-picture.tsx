import { toPictureUrl } from "./picture";

export const FlowPicture = ({ svg, name, className }: { svg: string; name: string; className: string }) => (
  <div className={`rounded-md border border-line bg-canvas p-2 ${className}`}>
    <div
      role="img"
      aria-label={`Picture of ${name}`}
      className="h-full w-full bg-center bg-contain bg-no-repeat"
      style={{ backgroundImage: `url("${toPictureUrl(svg)}")` }}
    />
  </div>
);
