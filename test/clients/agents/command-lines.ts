// The coding agents that are programs of a terminal. Each reads the file that `footlight setup` has written, or over HTTP one with a URL.

import { join } from 'node:path'
import process from 'node:process'
import manifest from '../manifest.json' with { type: 'json' }
import { gemini } from '../model/gemini.ts'
import { messagesApi } from '../model/messages.ts'
import { responses } from '../model/responses.ts'
import { prompt, stepsFor } from '../script.ts'
import type { AgentClient } from './agent-client.ts'

// Of the packages that hold a client's executable.
const platform = `${process.platform}-${process.arch}`

const codexWith = (name: string): AgentClient => ({
  packages: manifest['codex'],
  api: responses,
  setup: 'codex',
  // A project file is used only if the project is trusted.
  home: (project) => ({
    '.codex/config.toml': `[projects.${JSON.stringify(project)}]\ntrust_level = "trusted"\n`,
  }),
  remote: (url) => ({ '.codex/config.toml': `[mcp_servers.footlight]\nurl = ${JSON.stringify(url)}\n` }),
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

const geminiSettings = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false },
}

const claudePrefix = 'mcp__footlight__'
const claudeTools = [...new Set(Object.values(stepsFor('')).map(({ tool }) => `${claudePrefix}${tool}`))]

export const commandLines: Readonly<Record<string, AgentClient>> = {
  opencode: {
    packages: manifest['opencode'],
    api: messagesApi,
    setup: 'opencode',
    remote: (url) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        mcp: { footlight: { type: 'remote', url, enabled: true } },
      }),
    }),
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
    home: () => ({ '.gemini/settings.json': JSON.stringify(geminiSettings) }),
    remote: (url) => ({
      '.gemini/settings.json': JSON.stringify({
        ...geminiSettings,
        mcpServers: { footlight: { httpUrl: url } },
      }),
    }),
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
    // Servers of a project file need an approval.
    home: () => ({ '.claude/settings.json': JSON.stringify({ enableAllProjectMcpServers: true }) }),
    remote: (url) => ({
      '.claude.json': JSON.stringify({ mcpServers: { footlight: { type: 'http', url } } }),
    }),
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
