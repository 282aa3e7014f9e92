// Which calls may have run what was counted since a time: those that ran meanwhile. For a server they are those that made its requests.

export interface RunningCalls {
  begin(name: string, at: number): void
  end(at: number): void
  /** Those that ran since then, else the last one. */
  since(at: number): string
  /** Those from whose beginning to that of the next one a request was made. */
  withRequests(times: readonly number[]): string
}

export const EVALUATION_CALL = 'evaluate'

export function createRunningCalls(): RunningCalls {
  let calls: readonly CallTime[] = []
  return {
    begin(name, at) {
      calls = [...calls, { name, from: at, to: Infinity }].slice(-CALL_LIMIT)
    },
    end(at) {
      calls = calls.map((call) => (call.to === Infinity ? { ...call, to: at } : call))
    },
    since(at) {
      const own = calls.filter(({ to }) => to > at)
      return join((own.length > 0 ? own : calls.slice(-1)).map(({ name }) => name)) || BEFORE_CALLS
    },
    withRequests(times) {
      const own = calls.filter(({ from }, index) => {
        const next = calls[index + 1]?.from ?? Infinity
        return times.some((time) => from <= time && time < next)
      })
      return join(own.map(({ name }) => name)) || (times.length > 0 ? BEFORE_CALLS : BY_ITSELF)
    },
  }
}

// --- internal ---

const CALL_LIMIT = 100
const BEFORE_CALLS = 'opening the session'
const BY_ITSELF = 'the server by itself'

interface CallTime {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** An evaluation is named last, by which it is known. */
function join(all: readonly string[]): string {
  const names = [...new Set(all)].sort(
    (a, b) => Number(a === EVALUATION_CALL) - Number(b === EVALUATION_CALL),
  )
  const rest = names.length - 2
  return rest > 0 ? `${rest} calls or ${names.slice(-2).join(' or ')}` : names.join(' or ')
}
