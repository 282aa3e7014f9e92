// The MCP resource URIs of a session: footlight://sessions/{id}/{part} and …/files/{name}.

export const LOG_PARTS = ['console', 'network', 'server', 'timeline'] as const
export type LogPart = (typeof LOG_PARTS)[number]

export interface ResourceAddress {
  readonly session: string
  readonly part: LogPart | 'snapshot' | 'files'
  /** The name of a file, for `files`. */
  readonly name?: string
  /** For a log: only the entries after this sequence number. */
  readonly since?: number
}

const resourceUriPattern =
  /^footlight:\/\/sessions\/([^/?#]{1,800})\/(?:(console|network|server|timeline|snapshot)|files\/([^/?#]+))(?:\?since=(\d+))?$/

export const resourceUriOf = ({ session, part, name }: ResourceAddress): string =>
  `footlight://sessions/${encodeURIComponent(session)}/${part}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`

/** Undefined if it is not the URI of a session resource. */
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
