/** Unix milliseconds that never jump: the wall clock is read once, at start, and a monotonic clock counts from there. */
export type Clock = () => number

export const clock: Clock = () => Math.floor(performance.timeOrigin + performance.now())
