export { default } from "../../s/[token]/not-found";
