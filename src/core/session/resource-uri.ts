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
  /^footlight:\/\/sessions\/([^/?#]{1,800})\/(?:(console|network|server|timeline|snapshot)|files\/([^/?#]+))(?:\?since=(\d+))?$/

export const addressOf = ({ session, part, name }: Address): string =>
  `footlight://sessions/${encodeURIComponent(session)}/${part}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`

/** Undefined where it is none of ours. */
export function readAddress(uri: string): Address | undefined {
  const [, encoded, part, encodedName = '', since] = pattern.exec(uri) ?? []
  const [session, name] = [decoded(encoded), decoded(encodedName)]
  if (session === undefined || name === undefined) return undefined
  const more = since === undefined ? {} : { since: Number(since) }
  return part === undefined
    ? { session, part: 'files', name }
    : { session, part: part as Address['part'], ...more }
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}
