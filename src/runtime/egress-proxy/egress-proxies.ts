// One forward proxy in our process with a port of its own for each session: the port says whose page it is, and every connection a page
// can make passes here. Where no rule is set there is none.

import type { Resolve } from './dial.ts'
import { createOwnPorts, policyNow, type PolicyBase } from './host-policy.ts'
import type { RefusingProxy } from './refusing-proxy.ts'
import type { EgressProxies } from '../ports/egress-proxy.ts'
import { type HostRule } from '../../core/network/host-rule.ts'
import { originOf } from '../../core/network/host-rules.ts'

export interface EgressProxiesOptions {
  /** The rules of the process, where it has some. */
  readonly list: readonly HostRule[] | undefined
  /** Whether private places are refused even where no rule is set. */
  readonly guarded: boolean
  /** Whether private places are allowed although rules are set. */
  readonly open: boolean
  /** Whether the user is asked about hosts that no rule names; without any list, about every host. */
  readonly ask?: boolean
  /** Whether the clients may be on other machines, whose users do not decide over this one. */
  readonly remote?: boolean
  readonly resolve?: Resolve
}

export function createEgressProxies(options: EgressProxiesOptions): EgressProxies {
  const { list, guarded, ask = false, remote = false } = options
  const own = createOwnPorts()
  const always = list !== undefined || guarded || ask
  let refusing: Promise<RefusingProxy> | undefined

  function baseFor(session: readonly HostRule[] | undefined): PolicyBase {
    const lists = [list, session].filter((one) => one !== undefined)
    const unlisted = ask && lists.length === 0
    const mine = remote ? [] : unlisted ? (['private', 'loopback'] as const) : (['private'] as const)
    return {
      lists: unlisted ? [[]] : lists,
      guarded: guarded || !options.open,
      promptable: ['public', ...mine],
      own: own.ports,
    }
  }

  return {
    always,
    reserve: own.reserve,
    async open(session, hooks) {
      if (!always && session === undefined) return undefined
      // Loaded with the first gate: what speaks to the network takes a while to come.
      const { openEgressProxy: openGate } = await import('./egress-proxy.ts')
      return openGate(baseFor(session), own, options.resolve, hooks)
    },
    reach(session) {
      if (!always && !remote && session === undefined) return undefined
      return async (url) => {
        const [{ reach }, { systemResolve }] = await Promise.all([
          import('./inspect-origin.ts'),
          import('./dial.ts'),
        ])
        const policy = policyNow(baseFor(session), [])
        return reach(originOf(new URL(url)), policy, options.resolve ?? systemResolve)
      }
    },
    async refusing() {
      refusing ??= import('./refusing-proxy.ts').then(async ({ openRefusingProxy }) => {
        const proxy = await openRefusingProxy()
        own.reserve(proxy.port)
        return proxy
      })
      return `http://127.0.0.1:${(await refusing).port}`
    },
    close: () => void refusing?.then((proxy) => proxy.close()),
  }
}
