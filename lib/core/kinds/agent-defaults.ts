export const agentDefaults = {
  instructions: "",
  max_steps: 10,
  max_retries: 3,
  loop_threshold: 3,
  trim_context: false,
  use_history: true,
} as const;
