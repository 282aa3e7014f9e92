// Whether a server has left the port that it is meant for, because another program had it: then its address is another one next time.

import { stripTerminalCodes } from '../../base/text/terminal-codes.ts'
import { portOf } from '../dev-server.ts'

/** How far tools go on from a port that is taken. */
const NEAR_PORTS = 20

const TAKEN = [
  /\bport:?\s+(\d{2,5})\b[^\n]{0,60}\b(?:in use|used|busy|occupied|taken|unavailable|not available|not free)\b/gi,
  /\bEADDRINUSE\b[^\n]{0,80}:(\d{2,5})\b/g,
  /\b(?:already running on|in use|no(?:t)? available)[^\n]{0,30}\bport:?\s+(\d{2,5})\b/gi,
  /\btried (?:port )?(\d{2,5})\b/gi,
]

/** The port that a server has left for the one in its URL, as its output says; undefined if it says nothing of the kind. */
export function findLeftPort(lines: readonly string[], url: string): number | undefined {
  const port = portOf(url)
  const taken = lines.flatMap((line) => {
    const text = stripTerminalCodes(line)
    return TAKEN.flatMap((pattern) => [...text.matchAll(pattern)].map(([, digits]) => Number(digits)))
  })
  return taken.find((other) => other < port && port - other <= NEAR_PORTS)
}
