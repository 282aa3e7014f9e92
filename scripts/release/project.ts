// The project's metadata for registries. The repository is a placeholder until it exists; install.sh contains it too.

import pack from '../../package.json' with { type: 'json' }

export const { version, description, license } = pack

export const repository = 'https://github.com/footlight-dev/footlight'

/** The name in the MCP registry: the owner and the repository, spelled as GitHub spells them. */
export const serverName = 'io.github.footlight-dev/footlight'

export const title = 'Footlight'

/** Packages for one platform are published under this npm scope. */
export const scope = '@footlight'

/** The download URL of a released file. */
export const assetUrl = (file: string): string => `${repository}/releases/download/v${version}/${file}`

/** At most 80 characters, for Homebrew. */
export const shortDescription = 'Isolated browser sessions and dev servers for AI agents, over MCP'
