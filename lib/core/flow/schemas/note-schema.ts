import * as z from "zod/mini";
import { noteColors, noteLimits } from "../note";

const { width, height, place: coordinate, text } = noteLimits;
const within = (least: number, most: number) => z.number().check(z.gte(least), z.lte(most));
const coordinateSchema = within(-coordinate, coordinate);

export const noteSchema = z.strictObject({
  x: coordinateSchema,
  y: coordinateSchema,
  width: within(width.least, width.most),
  height: within(height.least, height.most),
  text: z
    .string()
    .check(z.maxLength(text, `expected a note of at most ${text} characters: shorten it, or make two of it`)),
  color: z.enum(noteColors),
});

const noteIdSchema = z
  .string()
  .check(z.regex(/^[a-z0-9][a-z0-9_-]{0,39}$/i, "expected the id of a note: at most 40 letters, digits, - and _"));

/** The notes of a flow by id. */
export const notesSchema = z
  .record(noteIdSchema, noteSchema)
  .check(
    z.refine(
      (notes) => Object.keys(notes).length <= noteLimits.count,
      `expected at most ${noteLimits.count} notes: remove some of them`,
    ),
  );
