/** A flow of 10,000 rounds that calls no model. */
export const nestedLoops = `agents:
  a: { model: "scripted:m" }
branches: { x: { condition: "false", if_true: a } }
loops:
  inner: { body: x, count: 100 }
  outer: { body: inner, count: 100 }
swarm: { flow: outer }
`;
