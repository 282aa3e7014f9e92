// The manifests by which clients install Footlight as a plugin, each in the place and the form that its client reads, and the skill that
// all of them load. `bun run docs` writes them.

import { parseSetupRequest } from '../../src/features/setup/setup-request.ts'
import { SKILL } from '../../src/features/setup/skill-text.ts'
import { description, license, repository, title, version } from '../release/project.ts'

const name = 'footlight'
const author = { name: title, url: repository }
const keywords = ['browser', 'testing', 'verify', 'playwright', 'dev-server', 'mcp']

/** The server as `footlight setup` writes it, started by the npm package. */
function readServer(): { readonly command: string; readonly args: readonly string[] } {
  const request = parseSetupRequest(['claude-code'])
  if (!request.ok) throw new Error(request.error)
  return { command: 'npx', args: ['-y', name, ...request.value.options] }
}

const servers = { [name]: readServer() }
const about = { name, version, description, author, homepage: repository, repository, license, keywords }
const toText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`
const catalog = {
  name,
  description,
  owner: author,
  plugins: [{ name, source: './', description, version, author, homepage: repository, license, keywords }],
}

/** The text of each file, by its path in the checkout. */
export const pluginFiles: Readonly<Record<string, () => string>> = {
  'skills/footlight/SKILL.md': () => SKILL,
  '.claude-plugin/plugin.json': () => toText({ ...about, mcpServers: servers }),
  '.claude-plugin/marketplace.json': () => toText(catalog),
  '.cursor-plugin/plugin.json': () => toText({ ...about, skills: './skills/', mcpServers: servers }),
  '.cursor-plugin/marketplace.json': () => toText(catalog),
  '.github/plugin/plugin.json': () => toText({ ...about, skills: './skills/', mcpServers: servers }),
  '.github/plugin/marketplace.json': () => toText(catalog),
  '.codex-plugin/plugin.json': () =>
    toText({
      ...about,
      skills: './skills/',
      mcpServers: './.codex-plugin/mcp.json',
      interface: {
        displayName: title,
        shortDescription: 'A browser, a dev server, and a verdict',
        longDescription: description,
        developerName: title,
        category: 'Developer Tools',
        capabilities: ['Interactive', 'Read', 'Write'],
        websiteURL: repository,
        privacyPolicyURL: `${repository}/blob/main/SECURITY.md#privacy`,
      },
    }),
  '.codex-plugin/mcp.json': () => toText({ mcpServers: servers }),
  '.agents/plugins/marketplace.json': () =>
    toText({
      name,
      interface: { displayName: title },
      plugins: [
        {
          name,
          source: { source: 'local', path: './' },
          policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
          category: 'Developer Tools',
        },
      ],
    }),
  'gemini-extension.json': () => toText({ name, version, description, mcpServers: servers }),
}
