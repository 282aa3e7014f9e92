// docs/project/tested-clients.md is written by hand except its table, which has the results of `bun run test:clients`.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { table } from './markdown.ts'

export interface ClientResult {
  /** The name of the client in test/clients. */
  readonly client: string
  /** The version that was run. */
  readonly version: string
  /** `project` is stdio, named by a file of the project instead of one of the user. */
  readonly way: 'stdio' | 'project' | 'http'
  readonly era: 'legacy' | 'modern'
  readonly revision: string
}

interface ClientTitle {
  readonly title: string
  /** The npm package whose version counts. */
  readonly package: string
}

const root = join(import.meta.dir, '../..')
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

export const resultsPath = join(root, 'test/clients/results.json')

export const readClientResults = (): readonly ClientResult[] => readJson(resultsPath)

/** All clients that are run, in the order of the table. */
export const clientTitles: Readonly<Record<string, ClientTitle>> = {
  sdk: { title: 'SDK for TypeScript 1', package: '@modelcontextprotocol/sdk' },
  'sdk-2': { title: 'SDK for TypeScript 2', package: '@modelcontextprotocol/client' },
  inspector: { title: 'MCP Inspector, command line', package: '@modelcontextprotocol/inspector' },
  mcporter: { title: 'mcporter, command line', package: 'mcporter' },
  'ai-sdk': { title: 'Vercel AI SDK', package: '@ai-sdk/mcp' },
  langchain: { title: 'LangChain', package: '@langchain/mcp-adapters' },
  mastra: { title: 'Mastra', package: '@mastra/mcp' },
  'openai-agents': { title: 'OpenAI Agents', package: '@openai/agents' },
  'claude-code': { title: 'Claude Code', package: '@anthropic-ai/claude-code' },
  codex: { title: 'Codex', package: '@openai/codex' },
  'codex-code': { title: 'Codex with models that write programs', package: '@openai/codex' },
  gemini: { title: 'Gemini CLI', package: '@google/gemini-cli' },
  opencode: { title: 'opencode', package: 'opencode-ai' },
}

/** The version of the package that the tests use, as package.json or test/clients/manifest.json names it. */
export function pinnedVersionOf(name: string): string {
  const { dependencies, devDependencies } = readJson(join(root, 'package.json'))
  const fetched = Object.values(readJson(join(root, 'test/clients/manifest.json')))
  return Object.assign({}, ...fetched, dependencies, devDependencies)[name]
}

/** The page with its table regenerated. */
export function testedClientsPage(text: string): string {
  const pattern = /(<!-- clients: bun run test:clients -->\n)[\s\S]*?(<!-- \/clients -->)/
  return text.replace(pattern, (_, open: string, close: string) => `${open}\n${clientsTable()}\n\n${close}`)
}

// --- internal ---

function clientsTable(): string {
  const results = readClientResults()
  const rows = Object.entries(clientTitles).flatMap(([name, client]) => {
    const ofClient = results.filter((result) => result.client === name)
    const versions = [...new Set(ofClient.map(({ version }) => version))]
    return versions.map((version) => {
      const ofVersion = ofClient.filter((result) => result.version === version)
      const eras = (way: ClientResult['way']) =>
        ofVersion
          .filter((result) => result.way === way)
          .map(({ era, revision }) => `${era} ${revision}`)
          .join(', ')
      return [
        client.title,
        `\`${client.package}\` ${version}`,
        eras('stdio'),
        eras('project'),
        eras('http'),
        `\`${name}\``,
      ]
    })
  })
  return table(['client', 'package', 'stdio', 'stdio, project file', 'HTTP', 'NAME'], rows)
}
