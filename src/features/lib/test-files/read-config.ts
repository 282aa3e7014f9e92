// What the text of a configuration of Playwright Test says, without comments: a template has its examples in them. What another file or a
// function gives is not known.

import { splitCode } from './split-code.ts'

export interface ConfigFacts {
  readonly hasWebServer: boolean
  readonly hasBaseUrl: boolean
  /** The folders of its tests, if all of them are literals; relative to its own. Empty if it names none. */
  readonly testDirs: readonly string[] | undefined
}

export function readConfig(text: string): ConfigFacts {
  const { code, strings } = splitCode(text)
  const modules = [...code.matchAll(/\b(?:from|import|require)\s*\(?\s*"(\d+)"/g)]
  const usesFiles = modules.some(([, index]) => strings[Number(index)]?.startsWith('.'))
  const isPartial = usesFiles || /\.\.\.(?!\s*devices\b)[\w$]/.test(code)
  const dirs = [...code.matchAll(fieldOf('testDir', strings))].map(([, value = '']) =>
    stringOf(value, strings),
  )
  const isKnown = !isPartial && dirs.every((dir) => dir !== undefined)
  return {
    hasWebServer: has('webServer', code, strings),
    hasBaseUrl: isPartial || has('baseURL', code, strings) || has('webServer', code, strings),
    testDirs: isKnown ? dirs.filter((dir) => dir !== undefined) : undefined,
  }
}

// --- internal ---

const has = (name: string, code: string, strings: readonly string[]): boolean => {
  const values = [...code.matchAll(fieldOf(name, strings))].map(([, value = '']) => value.trim())
  const isNamed = new RegExp(`(?<![\\w$])${name}(?![\\w$])\\s*(?:[,}]|=(?!=))`).test(code)
  return isNamed || values.some((value) => !/^(undefined|null)\b/.test(value))
}

/** A field with a value, which is the first group. A name in quotes is a string of the text. */
function fieldOf(name: string, strings: readonly string[]): RegExp {
  const quoted = strings.flatMap((value, index) => (value === name ? [`"${index}"`] : []))
  return new RegExp(`(?<![\\w$.])(?:${[`${name}(?![\\w$])`, ...quoted].join('|')})\\s*:\\s*([^,}\\n]*)`, 'g')
}

function stringOf(value: string, strings: readonly string[]): string | undefined {
  const [, index] = /^"(\d+)"\s*$/.exec(value.trim()) ?? []
  return index === undefined ? undefined : strings[Number(index)]
}
