// Puts the statements of a test on lines. Long lines are left to the formatter of the project.

export const blockCode = (statements: readonly string[]): string => ['{', ...statements, '}'].join('\n')

/** The code with its lines indented: those of blocks, and those of texts between backticks. */
export function printCode(code: string): string {
  let depth = 0
  let isInText = false
  const lines = code.split('\n').map((line) => {
    const closes = line.startsWith(isInText ? '`' : '}')
    if (closes) depth -= 1
    const printed = line === '' ? '' : INDENT.repeat(depth) + line
    if (closes) isInText = false
    const opensText = !isInText && /(?<!\\)`$/.test(line) && !isComment(line)
    const opensBlock = !isInText && line.endsWith('{') && !isComment(line)
    if (opensText || opensBlock) depth += 1
    isInText ||= opensText
    return printed
  })
  return lines.join('\n')
}

// --- internal ---

const INDENT = '  '

const isComment = (line: string): boolean => line.startsWith('//')
