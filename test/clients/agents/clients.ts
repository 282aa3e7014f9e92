// The clients that ask a model.

import { join } from 'node:path'
import manifest from '../manifest.json' with { type: 'json' }
import { chatCompletions } from '../model/chat-completions.ts'
import { responses } from '../model/responses.ts'
import type { AgentClient, Place } from './agent-client.ts'
import { commandLines } from './command-lines.ts'

const program = (name: 'ai-sdk' | 'langchain' | 'mastra' | 'openai-agents') => ({
  packages: manifest[name],
  command: ({ programs }: Place) => ['node', join(programs, `${name}.mjs`)] as const,
})

export const clients: Readonly<Record<string, AgentClient>> = {
  'ai-sdk': { ...program('ai-sdk'), api: responses },
  langchain: { ...program('langchain'), api: chatCompletions },
  'openai-agents': {
    ...program('openai-agents'),
    api: responses,
    env: ({ model }) => ({ OPENAI_BASE_URL: `${model}/v1`, OPENAI_API_KEY: 'none' }),
  },
  mastra: {
    ...program('mastra'),
    api: responses,
    env: ({ model }) => ({
      OPENAI_BASE_URL: `${model}/v1`,
      OPENAI_API_KEY: 'none',
      MASTRA_TELEMETRY_DISABLED: '1',
    }),
  },
  ...commandLines,
}
