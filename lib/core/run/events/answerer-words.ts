/**
 * What the texts of a run say of the users who answered its questions, after their names. Shared runs hide the names before
 * these words: a text that names a user is written with one of them. Stored runs keep the words that they were written with.
 */
export const answererWords = {
  notAnswered: " did not answer",
  notAllowed: " did not allow this call",
  rejected: " rejected ",
  argumentsChanged: " changed the arguments of this call to ",
} as const;
