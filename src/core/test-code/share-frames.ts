// Frames that a test uses several times get a variable.

import { callCode, printCode, type Code, type CodeChain, type CodeList } from './print-code.ts'

/** The statements with a variable for each frame that they use more than once, declared before its first use. `nameVariable` makes a name
 * unique. */
export function shareFrames(
  statements: readonly Code[],
  nameVariable: (base: string) => string,
): readonly Code[] {
  const uses = statements.flatMap(framesIn)
  const shared = new Map<string, Frame & { readonly name: string }>()
  for (const frame of uses) {
    const { key } = frame
    if (shared.has(key) || uses.filter((other) => other.key === key).length < 2) continue
    shared.set(key, { ...frame, name: nameVariable(variableBaseOf(key)) })
  }
  const declared = new Set<string>()
  return statements.flatMap((statement) => {
    const first = framesIn(statement).filter(({ key }) => shared.has(key) && !declared.has(key))
    const declarations = [...new Map(first.map((frame) => [frame.key, frame])).values()].map(
      ({ key, chain }): Code => {
        declared.add(key)
        return [`const ${shared.get(key)?.name} = `, shorten(chain), ';']
      },
    )
    return [...declarations, replaceFrames(statement, shared)]
  })
}

// --- internal ---

/** The calls up to a frame, and the same as text. */
interface Frame {
  readonly key: string
  readonly chain: CodeChain
}

/** The frame that the calls begin with, and the number of the calls up to it. */
function frameOf({ head, links }: CodeChain): (Frame & { readonly length: number }) | undefined {
  const length = 1 + links.findLastIndex(isFrame)
  if (length === 0) return undefined
  const chain = { head, links: links.slice(0, length) }
  return { key: printCode(chain).replace(/\s*\n\s*/g, ''), chain, length }
}

const isFrame = (link: Code): boolean => isList(link) && /^\.(?:contentFrame|frameLocator)\($/.test(link.open)

const isList = (code: Code): code is CodeList => typeof code === 'object' && 'open' in code

const isSequence = (code: Code): code is readonly Code[] => Array.isArray(code)

function framesIn(code: Code): readonly Frame[] {
  if (typeof code === 'string' || 'template' in code) return []
  if (isSequence(code)) return code.flatMap(framesIn)
  if ('statements' in code) return code.statements.flatMap(framesIn)
  if ('arrow' in code) return framesIn(code.expression)
  if ('items' in code) return code.items.flatMap(framesIn)
  const frame = frameOf(code)
  const rest = [code.head, ...code.links].flatMap(framesIn)
  return frame ? [frame, ...rest] : rest
}

function replaceFrames(code: Code, names: ReadonlyMap<string, { readonly name: string }>): Code {
  const replace = (part: Code): Code => replaceFrames(part, names)
  if (typeof code === 'string' || 'template' in code) return code
  if (isSequence(code)) return code.map(replace)
  if ('statements' in code) return { statements: code.statements.map(replace) }
  if ('arrow' in code) return { ...code, expression: replace(code.expression) }
  if ('items' in code) return { ...code, items: code.items.map(replace) }
  const frame = frameOf(code)
  const name = frame && names.get(frame.key)?.name
  if (!frame || name === undefined) return { head: replace(code.head), links: code.links.map(replace) }
  return { head: name, links: code.links.slice(frame.length).map(replace) }
}

/** `.locator(…).contentFrame()` as `.frameLocator(…)`. */
function shorten({ head, links }: CodeChain): CodeChain {
  const [locator, end] = links.slice(-2)
  const isLong = end && isList(end) && end.open === '.contentFrame('
  if (!isLong || !locator || !isList(locator) || locator.open !== '.locator(') return { head, links }
  return { head, links: [...links.slice(0, -2), callCode('.frameLocator', locator.items)] }
}

const NAME_LIMIT_WORDS = 3

/** `helpFrame` for the one with the title Help. */
function variableBaseOf(key: string): string {
  const name = /(?:title|name|id)=\\?"([^"\\]+)|getByTitle\('([^'\\]+)|#([\w-]+)/
    .exec(key)
    ?.slice(1)
    .find(Boolean)
  const words = (name ?? '').match(/[A-Za-z][A-Za-z\d]*/g)?.slice(0, NAME_LIMIT_WORDS) ?? []
  if (words.length === 0) return 'frame'
  const others = words.slice(1).map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
  const base = [words[0]?.replace(/^[A-Z]+/, (letters) => letters.toLowerCase()), ...others].join('')
  return /frame$/i.test(base) ? base : `${base}Frame`
}
