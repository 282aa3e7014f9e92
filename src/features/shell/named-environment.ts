// The variables of the caller that its tests name. No other variable of a command ever reaches the server, which has its own environment.

import { resolve } from 'node:path'
import process from 'node:process'
import { readTestVariables } from '../lib/test-files/test-variables.ts'

/** Set by systems where nobody means a test. A configuration does not reuse the server of a session where it sees it. */
const LEFT_OUT = ['CI']

/** The words that add them to a command line of the verb `test`. */
export function namedEnvironment(words: readonly string[]): readonly string[] {
  const pairs = words.flatMap((word, index) =>
    word === '--env' ? (words[index + 1] ?? '') : word.startsWith('--env=') ? word.slice(6) : [],
  )
  const path =
    words.find((word, index) => !word.startsWith('-') && !words[index - 1]?.startsWith('--')) ?? '.'
  const { named } = readTestVariables(resolve(path.replace(/:\d+$/, '')))
  return named.flatMap((name) => {
    const value = process.env[name]
    const isLeftOut = LEFT_OUT.includes(name) || pairs.some((pair) => pair.startsWith(`${name}=`))
    return value === undefined || isLeftOut ? [] : ['--env', `${name}=${value}`]
  })
}
