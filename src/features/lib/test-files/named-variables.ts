// The environment variables that a test or a configuration names.

import { quoteText } from '../replay/literals.ts'
import { splitCode } from './split-code.ts'

const HEADER = 'Needs in its environment: '

/** The first line of a file that does not work without these variables. */
export const neededLine = (names: readonly string[]): readonly string[] =>
  names.length > 0 ? [`// ${HEADER}${names.join(', ')}.`] : []

/** The variables that a file says that it needs. */
export const readNeeded = (text: string): readonly string[] =>
  new RegExp(`^// ${HEADER}(.+)\\.$`, 'm').exec(text)?.[1]?.split(', ') ?? []

/** The variables that a file reads, needed or not. */
export function readNamed(text: string): readonly string[] {
  const { code, strings } = splitCode(text)
  const names = [...code.matchAll(/\bprocess\.env(?:\.([A-Za-z_]\w*)|\[\s*"(\d+)"\s*\])/g)].map(
    ([, name, index]) => name ?? strings[Number(index)] ?? '',
  )
  const destructured = [...code.matchAll(/\{([^{}]*)\}\s*=\s*process\.env\b/g)].flatMap(([, list = '']) =>
    list.split(',').map((item) => /^\s*([A-Za-z_]\w*)/.exec(item)?.[1] ?? ''),
  )
  return [...new Set([...readNeeded(text), ...names, ...destructured])].filter(Boolean)
}

/** What tells a type checker of `process` where the types of Node are missing. */
export const declareProcess = (names: readonly string[]): string =>
  `declare const process: { env: { ${names.map((name) => `${/^[A-Za-z_]\w*$/.test(name) ? name : quoteText(name)}?: string`).join('; ')} } };`
