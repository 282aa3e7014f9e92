/** Passes a limited number of console lines and reports how many were dropped. */
export function throttleConsoleInPage([take, later, notice]: readonly [string, string, string]): void {
  const BURST_LINES = 600
  const LINES_PER_INTERVAL = 200
  // The newest lines of a burst are passed after the interval.
  const DELAYED_LINE_LIMIT = 50
  const INTERVAL_MS = 100
  type Method = (...values: unknown[]) => void
  const methods = console as unknown as Record<string, Method>
  const { apply } = Reflect
  const {
    setTimeout,
    console: { warn },
  } = window
  const now = performance.now.bind(performance)

  const throttles: { flushEarly(): void }[] = []

  const createThrottle = () => {
    let remainingLines = BURST_LINES
    let intervalEnd = 0
    let nextEarlyFlush = 0
    let droppedCount = 0
    const delayedLines: [Method, unknown, unknown[]][] = []
    const flush = {
      [later]: () => {
        if (droppedCount > 0) warn(notice, droppedCount)
        droppedCount = 0
        for (const line of delayedLines.splice(0)) apply(...line)
      },
    }[later]!
    // Once in an interval the newest lines do not wait for its end: in the next task, or before a line of another kind.
    const flushEarly = () => {
      if (delayedLines.length === 0 || now() < nextEarlyFlush) return
      nextEarlyFlush = now() + INTERVAL_MS
      flush()
    }
    const { port1, port2 } = new window['MessageChannel']()
    port1.onmessage = flushEarly
    const throttle = { flushEarly }
    throttles.push(throttle)
    return {
      [take]: (method: Method, self: unknown, values: unknown[]) => {
        const currentTime = now()
        if (currentTime >= intervalEnd) {
          flush()
          remainingLines = Math.min(
            BURST_LINES,
            remainingLines + LINES_PER_INTERVAL * Math.ceil((currentTime - intervalEnd) / INTERVAL_MS),
          )
          intervalEnd = currentTime + INTERVAL_MS
        }
        if (remainingLines > 0) {
          remainingLines -= 1
          for (const other of throttles) if (other !== throttle) other.flushEarly()
          return apply(method, self, values)
        }
        if (delayedLines.length === 0) {
          setTimeout(flush, INTERVAL_MS)
          port2.postMessage(0)
        }
        if (delayedLines.push([method, self, values]) > DELAYED_LINE_LIMIT)
          droppedCount += delayedLines.splice(0, 1).length
      },
    }[take]!
  }
  // Each kind has its own limit, so that one does not displace the other.
  for (const methodNames of [
    ['error', 'assert', 'warn'],
    ['log', 'info', 'debug', 'trace', 'dir', 'dirxml', 'table'],
  ]) {
    const apply = createThrottle()
    for (const name of methodNames) if (methods[name]) methods[name] = new Proxy(methods[name], { apply })
  }
}
