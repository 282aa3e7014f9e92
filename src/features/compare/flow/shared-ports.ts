// What two versions of an application share on this machine: whether they can run side by side, and what their comparison cannot see.

import type { UsedPort, UsedPorts } from '../../../core/sessions/types/servers.ts'

/** What is known about the server of one version. */
export interface SideUse {
  /** Undefined where it cannot be told, or where the version has no server of its own. */
  readonly ports: UsedPorts | undefined
  /** The lines of its output that say that a port is in use. */
  readonly refusals: readonly string[]
  /** The ports of this machine that its pages have asked. */
  readonly requested: readonly number[]
}

/** Whether a line of output says that a server did not get its port; one that takes another port then needs none. */
export const isPortRefusal = (line: string): boolean => PORT_REFUSAL.test(line) && !OTHER_PORT.test(line)

/** Whether the two must not run side by side: one of them has more than one server, did not get a port, or uses the other one. */
export const collide = (base: SideUse, current: SideUse): boolean =>
  [base, current].some(({ ports, refusals }) => refusals.length > 0 || (ports?.own.length ?? 0) > 1) ||
  usesOther(base, current) ||
  usesOther(current, base)

/** What both share, a sentence each. `areApart`: they ran one after the other. */
export function describeShared(base: SideUse, current: SideUse, areApart: boolean): readonly string[] {
  const versions = [
    ['the base', base, current],
    ['the current version', current, base],
  ] as const
  const refused = versions.flatMap(
    ([
      name,
      {
        refusals: [line],
      },
    ]) =>
      line === undefined
        ? []
        : [`A server of ${name} did not get its port: ${JSON.stringify(clipLine(line))}.`],
  )
  const used = new Map<number, { holder: string; names: string[] }>()
  for (const [name, side, other] of versions)
    for (const { port, holder } of foreignOf(side, other)) {
      const entry = used.get(port) ?? { holder, names: [] }
      used.set(port, { holder: entry.holder || holder, names: [...new Set([...entry.names, name])] })
    }
  const foreign = [...used].map(([port, { holder, names }]) => {
    const who = names.length > 1 ? 'both versions' : names[0]
    return `Port ${port} of this machine${holder && ` (${holder})`} was used by ${who}, and is no server of ${names.length > 1 ? 'either' : 'it'}.`
  })
  const isUneven = base.ports && current.ports && base.ports.own.length !== current.ports.own.length
  const uneven = isUneven
    ? [`The base has ${serversOf(base)}, the current version ${serversOf(current)}.`]
    : []
  const isCrossed = usesOther(base, current) || usesOther(current, base)
  const beside =
    !areApart && (isUneven || isCrossed)
      ? ['They ran side by side and may share them: the server of the session cannot be stopped for a while.']
      : []
  const shared = [...refused, ...foreign, ...beside].length > 0 ? ['What is shared cannot differ here.'] : []
  return [...refused, ...foreign, ...uneven, ...beside, ...shared]
}

// --- internal ---

const PORT_REFUSAL =
  /EADDRINUSE|address (is )?already in use|\bport:? \d+ (is|was) (already )?(in use|taken|used)|only one usage of each socket/i
const OTHER_PORT =
  /\b(trying|using|switching to|falling back to)\b.*\b(another|other|next|port|one|instead)\b/i

const LINE_LIMIT_CHARS = 120

const clipLine = (line: string): string =>
  line.length > LINE_LIMIT_CHARS ? `${line.slice(0, LINE_LIMIT_CHARS)}…` : line

const serversOf = ({ ports }: SideUse): string => {
  const count = ports?.own.length ?? 0
  return `${count} ${count === 1 ? 'server' : 'servers'}`
}

const usesOther = ({ ports, requested }: SideUse, { ports: others }: SideUse): boolean => {
  const connected = ports?.foreign.filter(({ isConnected }) => isConnected).map(({ port }) => port) ?? []
  return [...connected, ...requested].some((port) => isOf(others, port) && !isOf(ports, port))
}

const isOf = (ports: UsedPorts | undefined, port: number): boolean => ports?.own.includes(port) === true

/** A port of the other version counts only if this one was seen to use it. */
const foreignOf = ({ ports, requested }: SideUse, { ports: others }: SideUse): readonly UsedPort[] => {
  if (!ports) return []
  const requests = requested.filter((port) => !ports.own.includes(port))
  const foreign = ports.foreign.filter(({ port, isConnected }) => isConnected || !isOf(others, port))
  return [
    ...foreign,
    ...requests
      .filter((port) => !foreign.some((one) => one.port === port))
      .map((port) => ({ port, holder: '', isConnected: true })),
  ]
}
