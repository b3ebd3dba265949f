// The entry of a thread in a checkout without a bundle: tests and `npm run dev`. A thread of Node 20 has no TypeScript entry.
import { register } from "tsx/esm/api";

register();
await import("./worker-main.ts");
