// Commands as a shell reads them.

export const toJson = (value: unknown): string => JSON.stringify(value)

/** One command line. Windows' own quotes where it will be read by cmd, single quotes elsewhere. */
export const joinCommand = (words: readonly string[], platform: NodeJS.Platform): string =>
  words.map((word) => (platform === 'win32' ? quoteForCmd(word) : quoteForShell(word))).join(' ')

/** A word that a POSIX shell reads back as it is. */
const quoteForShell = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

const quoteForCmd = (word: string): string =>
  /^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`
