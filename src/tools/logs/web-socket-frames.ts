// The frames of a WebSocket in the output of network_requests.

import { clip } from '../../core/text/clip.ts'
import type { NetworkRequest } from '../../core/session/network-log.ts'
import type { OpenSession } from '../../runtime/ports/open-session.ts'

/** For a list of requests. */
export const LIST_FRAME_LIMITS = { count: 5, chars: 200 } as const
/** For one request. */
export const REQUEST_FRAME_LIMITS = { count: 100, chars: 1000 } as const

/** The newest frames of a WebSocket, redacted; `earlierFrames` is the number of those before them. Empty for other requests. */
export function framesOf(
  { seq, type, framesSent, framesReceived = 0 }: NetworkRequest,
  { network, redact }: OpenSession,
  { count, chars }: { count: number; chars: number },
): { frames?: unknown[]; earlierFrames?: number; note?: string } {
  if (type !== 'websocket') return {}
  if (framesSent === undefined) return { note: 'this browser reports only the handshake, not the frames' }
  const frames = network.frames(seq, count)
  const earlierFrames = framesSent + framesReceived - frames.length
  return {
    ...(earlierFrames > 0 && { earlierFrames }),
    frames: frames.map(({ at, direction, body, bytes }) => ({
      timestamp: at,
      direction,
      ...(body !== undefined && { body: clip(redact(body), chars) }),
      ...(bytes !== undefined && { bytes }),
    })),
  }
}
