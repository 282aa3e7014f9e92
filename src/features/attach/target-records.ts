// What a relay notes about its tabs, so that the next one closes them if it could not: one line per tab that was opened or is gone.

import type { TargetInfo } from './relay-lines.ts'

/** The name of a record: the pid of its relay, and the tag in the URLs of tabs whose id it does not know yet. */
export interface RecordName {
  readonly pid: number
  readonly tag: string
}

export const formatRecordName = ({ pid, tag }: RecordName): string => `${pid}-${tag}`

/** Undefined for a file of another kind. */
export function parseRecordName(name: string): RecordName | undefined {
  const [, pid, tag] = /^(\d+)-([\da-f-]{36})$/.exec(name) ?? []
  return pid === undefined || tag === undefined ? undefined : { pid: Number(pid), tag }
}

export const openingUrlOf = (tag: string): string => `about:blank#footlight-${tag}`

export const formatChange = (change: 'opened' | 'gone', targetId: string): string =>
  `${change === 'opened' ? '+' : '-'}${targetId}\n`

/** The tabs of a record that were open at its end. A last line that was cut off is ignored. */
function openTargetsOf(record: string): ReadonlySet<string> {
  const targets = new Set<string>()
  for (const line of record.split('\n').slice(0, -1)) {
    if (line.startsWith('+')) targets.add(line.slice(1))
    else targets.delete(line.slice(1))
  }
  return targets
}

/** The tabs that belong to a record: the recorded ones, the one that was being opened, and those that they have opened. */
export function selectLeftTargets(
  targets: readonly TargetInfo[],
  record: string,
  tag: string,
): readonly string[] {
  const recordedIds = openTargetsOf(record)
  const openerIds = new Set([...recordedIds, ...[...record.matchAll(/^\+(.+)$/gm)].map(([, id = '']) => id)])
  const pages = targets.filter(({ type }) => type === 'page')
  const selection = new Set<string>()
  for (let isGrowing = true; isGrowing;) {
    const sizeBefore = selection.size
    for (const { targetId, url, openerId = '' } of pages)
      if (
        recordedIds.has(targetId) ||
        url === openingUrlOf(tag) ||
        openerIds.has(openerId) ||
        selection.has(openerId)
      )
        selection.add(targetId)
    isGrowing = selection.size > sizeBefore
  }
  return [...selection]
}
