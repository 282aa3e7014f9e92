import type { Deadline } from '../../runtime/ports/deadline.ts'

/** The deadline, or `timeout` milliseconds from now if that is earlier. */
export function limitDeadline(deadline: Deadline, timeout: number): Deadline {
  const start = deadline.remaining()
  const limit = Math.min(timeout, start)
  return {
    timeout: limit,
    signal: deadline.signal,
    remaining: () => Math.max(1, limit - (start - deadline.remaining())),
  }
}
