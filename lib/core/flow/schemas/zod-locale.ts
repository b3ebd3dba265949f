import { en } from "zod/locales";
import { config } from "zod/mini";

/** `zod/mini` has no locale of its own: this sets the English messages of `zod`. */
config(en());
