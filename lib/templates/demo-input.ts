/** What the template `demo-article` is run on by one click: it asks for facts, a sum and a date. */
export const demoInput =
  "How can a small city keep its streets cool in summer? The budget covers 240 trees at 85 euro each.";
