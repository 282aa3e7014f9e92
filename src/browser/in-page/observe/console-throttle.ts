/** Lets a limited number of console lines through and reports how many were left out. */
export function throttleConsoleInPage([take, later, notice]: readonly [string, string, string]): void {
  // Lines of a burst, more of them with each moment, those kept of its end; milliseconds of a moment.
  const BURST = 600
  const MORE = 200
  const LAST = 50
  const MOMENT = 100
  type Method = (...values: unknown[]) => void
  const methods = console as unknown as Record<string, Method>
  const { apply } = Reflect
  const {
    setTimeout,
    console: { warn },
  } = window
  const now = performance.now.bind(performance)

  const thinned = () => {
    let free = BURST
    let until = 0
    let lost = 0
    const held: [Method, unknown, unknown[]][] = []
    const flush = {
      [later]: () => {
        if (lost > 0) warn(notice, lost)
        lost = 0
        for (const line of held.splice(0)) apply(...line)
      },
    }[later]!
    return {
      [take]: (method: Method, self: unknown, values: unknown[]) => {
        const time = now()
        if (time >= until) {
          flush()
          free = Math.min(BURST, free + MORE * Math.ceil((time - until) / MOMENT))
          until = time + MOMENT
        }
        if (free > 0) {
          free -= 1
          return apply(method, self, values)
        }
        if (held.length === 0) setTimeout(flush, MOMENT)
        if (held.push([method, self, values]) > LAST) lost += held.splice(0, 1).length
      },
    }[take]!
  }
  // So many lines of the one kind do not cost a line of the other.
  for (const kind of [
    ['error', 'assert', 'warn'],
    ['log', 'info', 'debug', 'trace', 'dir', 'dirxml', 'table'],
  ]) {
    const apply = thinned()
    for (const name of kind) if (methods[name]) methods[name] = new Proxy(methods[name], { apply })
  }
}
