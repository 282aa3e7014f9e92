/** Splits chunks of text into lines. */
export function createLineReader(onLine: (line: string) => void): (chunk: string) => void {
  let parts: string[] = []
  return (chunk) => {
    const lines = chunk.split('\n')
    const rest = lines.pop() ?? ''
    for (const line of lines) {
      onLine(parts.join('') + line)
      parts = []
    }
    if (rest !== '') parts.push(rest)
  }
}
