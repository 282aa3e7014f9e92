// Where the rules of style are in a file: all of a sheet, and the blocks of a component.

interface StyleBlock {
  readonly text: string
  /** From 1; a tag may share these with it. */
  readonly firstLine: number
  readonly lastLine: number
}

export const isComponent = (file: string): boolean => /\.(?:vue|svelte|astro)$/i.test(file)

export function styleBlocksOf(file: string, content: string): readonly StyleBlock[] {
  if (!isComponent(file)) return [{ text: content, firstLine: 1, lastLine: 1 + countBreaks(content) }]
  const blocks: StyleBlock[] = []
  const lower = content.toLowerCase()
  let [at, line] = [0, 1]
  for (;;) {
    const tag = lower.indexOf('<style', at)
    const start = tag < 0 ? 0 : lower.indexOf('>', tag) + 1
    const end = start === 0 ? -1 : lower.indexOf('</style', start)
    if (end < 0) return blocks
    const firstLine = line + countBreaks(content.slice(at, start))
    const text = content.slice(start, end)
    line = firstLine + countBreaks(text)
    blocks.push({ text, firstLine, lastLine: line })
    at = end
  }
}

// --- internal ---

const countBreaks = (text: string): number => text.match(/\r\n?|\n/g)?.length ?? 0
