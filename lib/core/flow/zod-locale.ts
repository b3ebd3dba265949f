import { en } from "zod/locales";
import { config } from "zod/mini";

/** The small Zod comes without words: what is wrong with a value is said in English, as the large one says it. */
config(en());
