// The addresses under which what belongs to a session can be read: footlight://sessions/{id}/{part} and …/files/{name}.

export const LOG_PARTS = ['console', 'network', 'server', 'timeline'] as const
export type LogPart = (typeof LOG_PARTS)[number]

export interface ResourceAddress {
  readonly session: string
  readonly part: LogPart | 'snapshot' | 'files'
  /** Of a file. */
  readonly name?: string
  /** Of a log: only what came after this entry. */
  readonly since?: number
}

const resourceUriPattern =
  /^footlight:\/\/sessions\/([^/?#]{1,800})\/(?:(console|network|server|timeline|snapshot)|files\/([^/?#]+))(?:\?since=(\d+))?$/

export const resourceUriOf = ({ session, part, name }: ResourceAddress): string =>
  `footlight://sessions/${encodeURIComponent(session)}/${part}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`

/** Undefined where it is none of ours. */
export function parseResourceUri(uri: string): ResourceAddress | undefined {
  const [, encoded, part, encodedName = '', since] = resourceUriPattern.exec(uri) ?? []
  const [session, name] = [decodePart(encoded), decodePart(encodedName)]
  if (session === undefined || name === undefined) return undefined
  const query = since === undefined ? {} : { since: Number(since) }
  return part === undefined
    ? { session, part: 'files', name }
    : { session, part: part as ResourceAddress['part'], ...query }
}

function decodePart(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}
