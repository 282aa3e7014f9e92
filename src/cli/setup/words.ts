// Commands as a shell reads them.

export const json = (value: unknown): string => JSON.stringify(value)

/** One command line. Windows' own quotes where it will be read by cmd, single quotes elsewhere. */
export const line = (words: readonly string[], platform: NodeJS.Platform): string =>
  words.map((word) => (platform === 'win32' ? windows(word) : quoted(word))).join(' ')

/** A word that a POSIX shell reads back as it is. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

const windows = (word: string): string =>
  /^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`
