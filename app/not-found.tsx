import { NotFoundState } from "./_ui/shell/not-found-state";

export default function NotFound() {
  return <NotFoundState title="Page not found" />;
}
