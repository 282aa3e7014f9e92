/** What `work` gives within `ms` milliseconds: its error where it fails, undefined where it takes longer. It is never rejected. */
export async function settleWithin<T>(ms: number, work: Promise<T>): Promise<T | Error | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  const failed = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))
  const done = await Promise.race([work.catch(failed), late])
  clearTimeout(timer)
  return done
}
