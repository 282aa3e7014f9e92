import type { Settings } from './options.ts'
import { parseUserProxy, type UserProxy } from '../../core/network/user-proxy.ts'

/** The proxy of the options, if there is one. */
export function userProxyOf({ proxyServer, proxyBypass }: Pick<Settings, 'proxyServer' | 'proxyBypass'>): {
  readonly userProxy?: UserProxy
} {
  const userProxy = proxyServer === undefined ? undefined : parseUserProxy(proxyServer, proxyBypass)
  return userProxy ? { userProxy } : {}
}
