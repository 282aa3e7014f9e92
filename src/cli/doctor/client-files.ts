// The configuration files of the clients that are known to name MCP servers, and which of them name footlight.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface ConfigEnvironment {
  readonly platform: NodeJS.Platform
  readonly home: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Every file worth a look, by client. */
export function listClientFiles({
  platform,
  home,
  cwd,
  env,
}: ConfigEnvironment): { client: string; file: string }[] {
  const roaming = env['APPDATA'] || join(home, 'AppData/Roaming')
  const xdg = env['XDG_CONFIG_HOME'] || join(home, '.config')
  const config = { darwin: join(home, 'Library/Application Support'), win32: roaming } as Record<
    string,
    string
  >
  const apps = config[platform] ?? xdg
  const zed =
    platform === 'win32'
      ? join(roaming, 'Zed')
      : platform === 'darwin'
        ? join(home, '.config/zed')
        : join(xdg, 'zed')
  const files: Readonly<Record<string, readonly string[]>> = {
    'Claude Code': [join(home, '.claude.json'), join(home, '.claude/settings.json'), join(cwd, '.mcp.json')],
    'Claude Desktop': [join(apps, 'Claude/claude_desktop_config.json')],
    Cursor: [join(home, '.cursor/mcp.json'), join(cwd, '.cursor/mcp.json')],
    'VS Code': [
      join(apps, 'Code/User/mcp.json'),
      join(apps, 'Code/User/settings.json'),
      join(cwd, '.vscode/mcp.json'),
    ],
    Codex: [join(env['CODEX_HOME'] || join(home, '.codex'), 'config.toml')],
    Gemini: [join(home, '.gemini/settings.json'), join(cwd, '.gemini/settings.json')],
    opencode: [join(xdg, 'opencode/opencode.json'), join(cwd, 'opencode.json')],
    Zed: [join(zed, 'settings.json'), join(cwd, '.zed/settings.json')],
    Windsurf: [join(home, '.codeium/windsurf/mcp_config.json')],
  }
  return Object.entries(files).flatMap(([client, paths]) =>
    [...new Set(paths)].map((file) => ({ client, file })),
  )
}

/** Those that contain the word. */
export const findClientsNaming = (
  word: string,
  place: ConfigEnvironment,
): { client: string; file: string }[] =>
  listClientFiles(place).filter(({ file }) => readText(file).includes(word))

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
