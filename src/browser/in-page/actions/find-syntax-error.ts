/** The message of the syntax error in a script, which is not run; undefined if there is none. */
export function findSyntaxError(source: string): string | undefined {
  try {
    void new Function(source)
    return undefined
  } catch (error) {
    return String(error)
  }
}
