// A timer wheel as a value. There is no clock inside: time is a parameter, and the next wake-up is derived, not stored.
//
// A slot is addressed by the absolute tick at which it opens. The slot of a deadline is the deadline with every base-64 digit
// below the first one that differs from `now` set to zero (the level rule of tokio's wheel). So a far deadline waits in a coarse
// slot and moves to a finer one each time its slot opens; nothing wraps around and there is no horizon. The address stays right
// while `now` moves towards it, which is why `cancel` can compute it again.
//
// For a dozen sessions a sorted list would be as fast. The wheel earns its place as one timer for everything, where re-arming
// touches no timer and a test needs no clock. A tick has no unit here; session.ts makes it 100 ms.

export interface TimerWheel<K> {
  readonly now: number
  readonly deadlines: ReadonlyMap<K, number>
  readonly slots: ReadonlyMap<number, ReadonlySet<K>>
}

export const createWheel = <K>(now: number): TimerWheel<K> => ({
  now,
  deadlines: new Map(),
  slots: new Map(),
})

/** Puts `key` at `tick`, replacing an earlier deadline of the same key. A tick that has passed is due at the next one. */
export function schedule<K>(wheel: TimerWheel<K>, key: K, tick: number): TimerWheel<K> {
  const { now, deadlines, slots } = cancel(wheel, key)
  const deadline = Math.max(tick, now + 1)
  const slot = slotOf(deadline, now)
  return {
    now,
    deadlines: new Map(deadlines).set(key, deadline),
    slots: new Map(slots).set(slot, new Set(slots.get(slot)).add(key)),
  }
}

export function cancel<K>(wheel: TimerWheel<K>, key: K): TimerWheel<K> {
  const deadline = wheel.deadlines.get(key)
  if (deadline === undefined) return wheel
  const deadlines = new Map(wheel.deadlines)
  deadlines.delete(key)
  const slots = new Map(wheel.slots)
  const slot = slotOf(deadline, wheel.now)
  const remainingKeys = new Set(slots.get(slot))
  remainingKeys.delete(key)
  if (remainingKeys.size > 0) slots.set(slot, remainingKeys)
  if (remainingKeys.size === 0) slots.delete(slot)
  return { now: wheel.now, deadlines, slots }
}

/** The tick at which the wheel next wants `advance`, or undefined while it is empty. Never later than the earliest deadline. */
export function nextTickOf<K>(wheel: TimerWheel<K>): number | undefined {
  return wheel.slots.size === 0 ? undefined : Math.min(...wheel.slots.keys())
}

/** Moves to `now` and returns the keys whose deadline has come, earliest first. */
export function advance<K>(wheel: TimerWheel<K>, now: number): readonly [TimerWheel<K>, readonly K[]] {
  const due: K[] = []
  let current = wheel
  for (let tick = nextTickOf(current); tick !== undefined && tick <= now; tick = nextTickOf(current)) {
    const keys = current.slots.get(tick) ?? new Set()
    const keyDeadlines = [...keys].map((key) => [key, current.deadlines.get(key) ?? tick] as const)
    current = { ...[...keys].reduce(cancel, current), now: tick }
    for (const [key, deadline] of keyDeadlines) {
      if (deadline <= current.now) due.push(key)
      if (deadline > current.now) current = schedule(current, key, deadline)
    }
  }
  return [{ ...current, now: Math.max(now, current.now) }, due]
}

function slotOf(deadline: number, now: number): number {
  let width = 1
  while (Math.floor(deadline / (width * 64)) !== Math.floor(now / (width * 64))) width *= 64
  return Math.floor(deadline / width) * width
}
