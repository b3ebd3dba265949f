export const agentDefaults = {
  instructions: "",
  max_steps: 10,
  max_retries: 3,
  loop_threshold: 3,
  trim_context: false,
  use_history: true,
} as const;

/** How the tool calls of one turn run: one after another in call order, or all at once. */
export const toolCallOrders = ["sequential", "parallel"] as const;

/** What an agent that reached `max_steps` does: it hands its last text on, or it fails. */
export const limitEnds = ["answer", "fail"] as const;

/** The values of the fields of an agent that have a few of them. */
export const agentChoices = { tool_calls: toolCallOrders, on_limit: limitEnds } as const;

export const isAgentChoice = (field: string): field is keyof typeof agentChoices => Object.hasOwn(agentChoices, field);
