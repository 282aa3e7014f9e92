// The clients: what each is made of, how it is run without a person, and which API of models it speaks.

import { join } from 'node:path'
import process from 'node:process'
import manifest from './manifest.json' with { type: 'json' }
import type { ModelApi } from './model/api.ts'
import { chatCompletions } from './model/chat-completions.ts'
import { gemini } from './model/gemini.ts'
import { messagesApi } from './model/messages.ts'
import { responses } from './model/responses.ts'
import type { ClientName } from '../../src/cli/setup/clients.ts'
import { prompt, stepsFor, type Step } from './script.ts'

export interface Place {
  /** The node_modules of the client's packages. */
  readonly modules: string
  /** A folder with the programs of this test, beside those packages. */
  readonly programs: string
  /** The origin of the scripted model. */
  readonly model: string
}

export interface AgentClient {
  readonly api: ModelApi
  readonly packages: Readonly<Record<string, string>>
  /** What `footlight setup` calls it; the others are told the executable by their program. */
  readonly setup?: ClientName
  readonly command: (place: Place) => readonly [string, ...string[]]
  /** How its model does a step, where that is more than a call of the tool. */
  readonly spoken?: (step: Step) => Step
  /** Files that its home has before it is set up, by their paths there. */
  readonly home?: Readonly<Record<string, string>>
  /** Of a client that lists tools only after they were searched: the call that does so, and how their names begin. */
  readonly search?: { readonly step: Step; readonly prefix: string }
  readonly env?: (place: Place) => Readonly<Record<string, string>>
}

// Of the packages that hold a client's executable.
const platform = `${process.platform}-${process.arch}`

const program = (name: string) => ({
  packages: manifest[name as 'mastra'] as AgentClient['packages'],
  command: ({ programs }: Place) => ['node', join(programs, `${name}.mjs`)] as const,
})

const codexWith = (name: string): AgentClient => ({
  packages: manifest['codex'],
  api: responses,
  setup: 'codex',
  command({ modules, model }) {
    const provider = `{name="Scripted", base_url="${model}/v1", wire_api="responses", env_key="OPENAI_API_KEY"}`
    const settings = [
      `model="${name}"`,
      'model_provider="scripted"',
      `model_providers.scripted=${provider}`,
      'analytics.enabled=false',
      'check_for_update_on_startup=false',
    ]
    return [
      'node',
      join(modules, '@openai/codex/bin/codex.js'),
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      ...settings.flatMap((setting) => ['-c', setting]),
      prompt,
    ]
  },
  env: () => ({ OPENAI_API_KEY: 'none' }),
})

const claudePrefix = 'mcp__footlight__'
const claudeTools = [...new Set(Object.values(stepsFor('')).map(({ tool }) => `${claudePrefix}${tool}`))]

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
  opencode: {
    packages: manifest['opencode'],
    api: messagesApi,
    setup: 'opencode',
    command: ({ modules }) => [
      join(modules, `opencode-${platform}/bin/opencode`),
      'run',
      '--model',
      'anthropic/scripted',
      prompt,
    ],
    env: ({ model }) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        provider: {
          anthropic: {
            options: { baseURL: `${model}/v1`, apiKey: 'none' },
            models: {
              scripted: {
                name: 'Scripted',
                tool_call: true,
                attachment: true,
                modalities: { input: ['text', 'image'], output: ['text'] },
                limit: { context: 200_000, output: 8000 },
              },
            },
          },
        },
        small_model: 'anthropic/scripted',
        share: 'disabled',
        autoupdate: false,
      }),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    }),
  },
  // A model that Codex does not know calls each tool by itself.
  codex: codexWith('gpt-5'),
  // Its own models write programs: they forward the picture of a screenshot, and print the answer of anything else.
  'codex-code': {
    ...codexWith('gpt-6-sol'),
    spoken({ tool, input }) {
      const call = `const result = await tools.mcp__footlight__${tool}(${JSON.stringify(input)})`
      const told =
        tool === 'screenshot'
          ? "text(result.content[0].text); image(result.content.find(({ type }) => type === 'image'))"
          : 'text(result)'
      return { tool: 'exec', input: `${call}\n${told}` }
    },
  },
  gemini: {
    packages: manifest['gemini'],
    api: gemini,
    setup: 'gemini',
    command: ({ modules }) => [
      'node',
      join(modules, '@google/gemini-cli/bundle/gemini.js'),
      '--approval-mode',
      'yolo',
      '--model',
      'gemini-2.5-pro',
      '-p',
      prompt,
    ],
    home: {
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
      }),
    },
    env: ({ model }) => ({
      GEMINI_API_KEY: 'none',
      GOOGLE_GEMINI_BASE_URL: model,
      GEMINI_TELEMETRY_ENABLED: 'false',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }),
  },
  'claude-code': {
    packages: manifest['claude-code'],
    api: messagesApi,
    setup: 'claude-code',
    command: ({ modules }) => [
      join(modules, `@anthropic-ai/claude-code-${platform}/claude`),
      '--allowedTools',
      'mcp__footlight',
      '-p',
      prompt,
    ],
    search: {
      step: {
        tool: 'ToolSearch',
        input: { query: `select:${claudeTools.join(',')}`, max_results: claudeTools.length },
      },
      prefix: claudePrefix,
    },
    env: ({ model }) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
  },
}
