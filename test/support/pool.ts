// Cases of one file that run side by side. They mostly wait, for what is refused or comes late, so a few at a time take little longer
// than the slowest; all at once would be a load that no case means.

export interface Pool<T> {
  /** Runs `work` with a member that no other work has meanwhile. */
  with<R>(work: (member: T) => R | Promise<R>): Promise<R>
}

export function pool<T>(members: readonly T[]): Pool<T> {
  const free = [...members]
  const waiting: ((member: T) => void)[] = []
  const take = () => {
    const member = free.shift()
    if (member !== undefined) return Promise.resolve(member)
    return new Promise<T>((resolve) => waiting.push(resolve))
  }
  const giveBack = (member: T) => {
    const next = waiting.shift()
    if (next) next(member)
    else free.push(member)
  }
  return {
    async with(work) {
      const member = await take()
      try {
        return await work(member)
      } finally {
        giveBack(member)
      }
    },
  }
}
