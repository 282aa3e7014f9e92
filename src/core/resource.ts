// The addresses under which what belongs to a session can be read: footlight://sessions/{id}/{part} and …/files/{name}.

export const logParts = ['console', 'network', 'server', 'timeline'] as const
export type LogPart = (typeof logParts)[number]

export interface Address {
  readonly session: string
  readonly part: LogPart | 'snapshot' | 'files'
  /** Of a file. */
  readonly name?: string
  /** Of a log: only what came after this entry. */
  readonly since?: number
}

const pattern =
  /^footlight:\/\/sessions\/([\w.-]+)\/(?:(console|network|server|timeline|snapshot)|files\/([^/?#]+))(?:\?since=(\d+))?$/

export const addressOf = ({ session, part, name }: Address): string =>
  `footlight://sessions/${session}/${part}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`

/** Undefined where it is none of ours. */
export function readAddress(uri: string): Address | undefined {
  const [, session, part, name, since] = pattern.exec(uri) ?? []
  if (session === undefined) return undefined
  const more = since === undefined ? {} : { since: Number(since) }
  if (part !== undefined) return { session, part: part as Address['part'], ...more }
  try {
    return { session, part: 'files', name: decodeURIComponent(name ?? '') }
  } catch {
    return undefined
  }
}
