import { NotFoundState } from "./_ui/controls/not-found-state";

export default function NotFound() {
  return <NotFoundState title="Page not found" />;
}
