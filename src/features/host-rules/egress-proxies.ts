// A forward proxy in this process with one port per session: the port identifies the session, and every connection of its pages goes
// through it. Without rules there is no proxy.

import { type HostRule, parseHostRules } from '../../core/base/network/host-rule.ts'
import { originOf } from '../../core/base/network/host-rules.ts'
import type { EgressProxies } from '../../core/sessions/types/egress-proxy.ts'
import type { ServerStart } from '../../core/tool/feature.ts'
import type { ResolveHost } from './dial.ts'
import { createOwnPorts, createPolicy, type PolicyBase } from './host-policy.ts'
import type { RefusingProxy } from './refusing-proxy.ts'

interface EgressProxiesOptions {
  /** The host rules of the process; undefined if there are none. */
  readonly list: readonly HostRule[] | undefined
  /** Whether private addresses are denied even without rules. */
  readonly blocksPrivate: boolean
  /** Whether private addresses are allowed although there are rules. */
  readonly allowsPrivate: boolean
  /** Whether the user is asked about hosts that match no rule; without rules, about every host. */
  readonly asksUser?: boolean
  /** Whether clients may be on other machines; their users cannot allow private addresses of this one. */
  readonly isRemote?: boolean
  /** Whether pages are kept from the ports of this process even without rules. */
  readonly guardsOwnPorts?: boolean
  /** Whether browsers reach other machines through a proxy of the user. */
  readonly hasUserProxy?: boolean
  readonly resolve?: ResolveHost
}

/** The egress proxies with the host rules of the options. */
export const proxiesOf = ({ settings, access, elsewhereFlags }: ServerStart): EgressProxies => {
  const isRemote = access !== undefined
  const { proxyServer, privateHosts } = settings
  // A browser on another machine cannot reach the proxy, and one behind the proxy of the user uses that one.
  const canUseProxy = elsewhereFlags.length === 0 && proxyServer === undefined
  return createEgressProxies({
    list: settings.allowedHosts === undefined ? undefined : readRules(settings.allowedHosts),
    blocksPrivate: isRemote && privateHosts === 'block',
    allowsPrivate: privateHosts === 'allow',
    asksUser: settings.askHosts,
    isRemote,
    guardsOwnPorts: isRemote && canUseProxy,
    hasUserProxy: proxyServer !== undefined,
  })
}

export function createEgressProxies(options: EgressProxiesOptions): EgressProxies {
  const { list, blocksPrivate, asksUser = false, isRemote = false, hasUserProxy = false } = options
  const ownPorts = createOwnPorts()
  const isAlwaysUsed = list !== undefined || blocksPrivate || asksUser || options.guardsOwnPorts === true
  let refusingProxy: Promise<RefusingProxy> | undefined

  function createPolicyBase(session: readonly HostRule[] | undefined): PolicyBase {
    const lists = [list, session].filter((rules) => rules !== undefined)
    const asksAlways = asksUser && lists.length === 0
    const localKinds = isRemote
      ? []
      : asksAlways
        ? (['private', 'loopback'] as const)
        : (['private'] as const)
    return {
      lists: asksAlways ? [[]] : lists,
      blocksPrivate: blocksPrivate || !options.allowsPrivate,
      promptableKinds: ['public', ...localKinds],
      ownPorts: ownPorts.ports,
    }
  }

  return {
    isAlwaysUsed,
    asksUser,
    hasUserProxy,
    reservePort: ownPorts.reserve,
    async open(session, hooks) {
      if (!isAlwaysUsed && session === undefined) return undefined
      // Loaded with the first proxy, because the network modules load slowly.
      const { openEgressProxy } = await import('./open-egress-proxy.ts')
      return openEgressProxy(createPolicyBase(session), ownPorts, options.resolve, hooks)
    },
    createServerAddressCheck(session) {
      if (!isAlwaysUsed && !isRemote && session === undefined) return undefined
      return async (url) => {
        const [{ checkServerAddress }, { resolveBySystem }] = await Promise.all([
          import('./inspect-origin.ts'),
          import('./dial.ts'),
        ])
        const policy = createPolicy(createPolicyBase(session), [])
        return checkServerAddress(originOf(new URL(url)), policy, options.resolve ?? resolveBySystem)
      }
    },
    async openRefusingProxy() {
      refusingProxy ??= import('./refusing-proxy.ts').then(async ({ openRefusingProxy }) => {
        const proxy = await openRefusingProxy()
        ownPorts.reserve(proxy.port)
        return proxy
      })
      return `http://127.0.0.1:${(await refusingProxy).port}`
    },
    close: () => void refusingProxy?.then((proxy) => proxy.close()),
  }
}

// --- internal ---

// The option's schema has validated the text.
function readRules(text: string): readonly HostRule[] {
  const rules = parseHostRules(text)
  return rules.ok ? rules.value : []
}
