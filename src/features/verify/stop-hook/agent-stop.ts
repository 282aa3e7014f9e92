// What a client says on stdin when its agent is about to stop. Clients name the same things differently; all names are read, because a client
// may run the hooks of another: Cursor runs those of Claude Code, VS Code those of Copilot.

import { isRecord, parseJson } from '../../../core/base/text/json.ts'

export interface AgentStop {
  /** The folders in which the agent works; none where the client does not say it. */
  readonly folders: readonly string[]
  readonly session: string
  /** The id of the prompt that the agent answers, where the client has one. */
  readonly prompt?: string | undefined
  /** Whether the agent goes on already because a hook wanted it; undefined where the client does not say it. */
  readonly isContinued?: boolean | undefined
}

/** Undefined for a text that is no such message, and where the agent was interrupted or failed. */
export function parseAgentStop(text: string): AgentStop | undefined {
  const input = parseJson(text)
  if (!isRecord(input)) return undefined
  const textOf = (...names: readonly string[]) =>
    names.map((name) => input[name]).find((value) => typeof value === 'string' && value !== '') as
      string | undefined
  const { status, stop_hook_active: isActive, loop_count: loopCount, workspace_roots: roots } = input
  if (status === 'aborted' || status === 'error') return undefined
  const cwd = textOf('cwd')
  return {
    folders: isTexts(roots) && roots.length > 0 ? roots : cwd === undefined ? [] : [cwd],
    session: textOf('session_id', 'sessionId', 'conversation_id') ?? '',
    prompt: textOf('turn_id', 'prompt_id'),
    isContinued:
      typeof isActive === 'boolean' ? isActive : typeof loopCount === 'number' ? loopCount > 0 : undefined,
  }
}

// --- internal ---

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string')
