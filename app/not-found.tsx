import { NotFoundState } from "./_ui/not-found-state";

export default function NotFound() {
  return <NotFoundState title="There is nothing here" />;
}
