// The clients that have a hook for an agent that is about to stop, and how it asks the agent to go on.

type Answer = (reason: string) => Readonly<Record<string, unknown>>

const block: Answer = (reason) => ({ decision: 'block', reason })

export const hookAnswers = {
  // https://code.claude.com/docs/en/hooks#stop
  'claude-code': block,
  // https://developers.openai.com/codex/hooks
  codex: block,
  // https://cursor.com/docs/hooks
  cursor: (reason) => ({ followup_message: reason }),
  // https://geminicli.com/docs/hooks/reference (AfterAgent)
  gemini: (reason) => ({ decision: 'deny', reason }),
  // https://docs.github.com/en/copilot/reference/hooks-reference (agentStop), and VS Code, which runs the same hooks:
  // https://code.visualstudio.com/docs/agent-customization/hooks
  copilot: (reason) => ({
    ...block(reason),
    hookSpecificOutput: { hookEventName: 'Stop', ...block(reason) },
  }),
} as const satisfies Readonly<Record<string, Answer>>

export type HookClient = keyof typeof hookAnswers

export const isHookClient = (name: string): name is HookClient => Object.hasOwn(hookAnswers, name)

/** What every client takes for yes. */
export const LET_THROUGH = '{}'
