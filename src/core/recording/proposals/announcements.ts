import type { SnapshotLine } from '../../snapshot/snapshot-lines.ts'
import { includesText } from './texts.ts'

/** The lines of messages that may vanish after a while, with all that is in them. */
export function linesInAnnouncements(lines: readonly SnapshotLine[]): ReadonlySet<SnapshotLine> {
  const announced = new Set<SnapshotLine>()
  let announcementDepth = Infinity
  for (const line of lines) {
    if (line.depth <= announcementDepth) announcementDepth = isAnnouncement(line) ? line.depth : Infinity
    if (announcementDepth < Infinity) announced.add(line)
  }
  return announced
}

/** Whether a text is shown by something else than a message that may vanish. */
export function isShownLastingly(lines: readonly SnapshotLine[], text: string): boolean {
  const announced = linesInAnnouncements(lines)
  return lines.some((line) => !announced.has(line) && !line.isHidden && includesText(line.name, text))
}

// --- internal ---

const isAnnouncement = ({ role, name }: SnapshotLine): boolean =>
  /^(alert|status|log)$/.test(role) || (/^(region|list)$/.test(role) && /\b(notification|toast)/i.test(name))
