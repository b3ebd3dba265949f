import { Fragment } from "react";

/** May break after an underscore, where browsers would not. */
export const NodeName = ({ name }: { name: string }) =>
  [...name.matchAll(/[^_]+_*|_+/g)].map(({ 0: word, index }) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {word}
    </Fragment>
  ));
