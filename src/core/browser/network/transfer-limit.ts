// Ends a recording by itself: what it keeps grows with what pages load.

import type { BrowserContext, Request } from 'playwright'

/** A compressed answer is larger where it is kept. */
const COMPRESSION_FACTOR = 10

/** Calls back once the answers to a context have more bytes than this together. The function that it returns ends that. */
export function watchTransfer(
  context: BrowserContext,
  limitBytes: number,
  onExceeded: () => void,
): () => void {
  let bytes = 0
  const stop = () => void context.off('requestfinished', count)
  async function count(request: Request): Promise<void> {
    const response = await request.response().catch(() => null)
    const sizes = await request.sizes().catch(() => undefined)
    const isCompressed = response?.headers()['content-encoding'] !== undefined
    const before = bytes
    bytes += (sizes?.responseBodySize ?? 0) * (isCompressed ? COMPRESSION_FACTOR : 1)
    if (before > limitBytes || bytes <= limitBytes) return
    stop()
    onExceeded()
  }
  context.on('requestfinished', count)
  return stop
}
