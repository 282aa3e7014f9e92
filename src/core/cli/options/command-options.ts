// Options as commands take them.

import { optionNames, optionOf, servingOptions } from './option-list.ts'

/** Those of a command that opens a window. */
export const launchOptions = [
  'browser',
  'executablePath',
  'proxyServer',
  'proxyBypass',
  'launchTimeout',
  'ignoreHttpsErrors',
  'config',
] as const

/** Those of a command that has sessions, but does not serve others. */
export const sessionOptions = optionNames.filter((name) => !servingOptions.includes(name))

/** Options that may stand without a value. */
export const switches = optionNames.filter((name) => optionOf(name).value?.startsWith('[') ?? true)
