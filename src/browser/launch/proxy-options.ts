// The proxy settings of each browser, for the proxy that enforces host rules and for that of the user.

import type { LaunchOptions } from 'playwright'
import type { UserProxy } from '../../core/network/user-proxy.ts'

type FirefoxPrefs = Record<string, string | number | boolean>

/** Everything goes through a proxy on this machine, also what is sent to this machine. */
export const refusingProxyOptions = (server: string): LaunchOptions => ({
  proxy: { server, bypass: '<-loopback>' },
})

// Playwright, which sends requests itself for a mock that changes their answers, knows neither ranges nor stars.
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]', '.localhost', '127.0.0.0/8']

/** This machine, with its dev servers, is reached without the proxy. */
export const userProxyOptions = ({ server, bypass }: UserProxy): LaunchOptions => ({
  proxy: {
    server,
    bypass: [...LOOPBACK_HOSTS, ...bypass.map((host) => host.replace(/^\*\./, '.'))].join(','),
  },
})

// WebRTC and QUIC ignore the proxy. Full Chromium obeys one of the two WebRTC flags, its headless shell the other. No name is resolved
// in the browser.
export const CHROMIUM_PROXY_FLAGS = [
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
]

/** The proxy of the process applies wherever that of a session's context does not, also once the context is closed. */
export function firefoxRefusingProxyPrefs(refusingProxy: string): FirefoxPrefs {
  const { hostname, port } = new URL(refusingProxy)
  return {
    ...firefoxHttpProxyPrefs(hostname, Number(port)),
    'network.proxy.no_proxies_on': '',
    'network.proxy.allow_hijacking_localhost': true,
    'media.peerconnection.enabled': false,
    'network.http.http3.enable': false,
    'network.dns.disablePrefetch': true,
    'network.predictor.enabled': false,
    'network.http.speculative-parallel-limit': 0,
    'network.trr.mode': 5,
  }
}

/** Playwright gives Firefox an HTTP proxy for `http:` alone. */
export const firefoxUserProxyPrefs = ({ scheme, host, port, bypass }: UserProxy): FirefoxPrefs => ({
  ...(scheme === 'socks4' || scheme === 'socks5'
    ? {
        'network.proxy.type': 1,
        'network.proxy.socks': host,
        'network.proxy.socks_port': port,
        'network.proxy.socks_version': scheme === 'socks4' ? 4 : 5,
        'network.proxy.socks_remote_dns': true,
      }
    : firefoxHttpProxyPrefs(host, port)),
  'network.proxy.no_proxies_on': bypass.join(','),
})

// --- internal ---

const firefoxHttpProxyPrefs = (host: string, port: number): FirefoxPrefs => ({
  'network.proxy.type': 1,
  'network.proxy.http': host,
  'network.proxy.http_port': port,
  'network.proxy.ssl': host,
  'network.proxy.ssl_port': port,
  'network.proxy.failover_direct': false,
})
