// The options of HTTP, and what they say together.

import process from 'node:process'
import * as v from 'valibot'
import { isLoopbackHost } from '../../core/base/network/http-guard.ts'
import { toKebabCase } from '../../core/cli/options/option-names.ts'
import { oneOf, path, whole } from '../../core/cli/options/option-schemas.ts'
import type { Access, Settings, SettingsOf } from '../../core/cli/options/options.ts'

const url = v.pipe(v.string('a URL'), v.url('a URL'))

export const entries = {
  transport: {
    schema: v.optional(oneOf('stdio', 'http')),
    value: 'WHAT',
    about: 'stdio, http',
    byDefault: 'stdio, or http if a port is set',
    also: 'TRANSPORT_MODE',
  },
  http: {
    schema: v.optional(
      v.union(
        [
          v.pipe(
            v.literal('true'),
            v.transform(() => 'on' as const),
          ),
          whole(0, 65_535),
        ],
        'a port',
      ),
    ),
    value: '[PORT]',
    about: 'serve Streamable HTTP at /mcp; 0 picks a free port',
    byDefault: 'PORT, else 3000',
  },
  host: {
    schema: v.optional(v.pipe(v.string('an address'), v.nonEmpty('an address')), '127.0.0.1'),
    value: 'ADDRESS',
    about: 'address to listen on; other than loopback only with authentication',
  },
  auth: {
    schema: v.optional(oneOf('none', 'bearer', 'oauth'), 'none'),
    value: 'HOW',
    about: 'none, bearer (one shared token), oauth (access tokens of an issuer)',
  },
  tokenFile: {
    schema: v.optional(path),
    value: 'FILE',
    about: 'file with the shared token; or the variable FOOTLIGHT_TOKEN',
  },
  issuer: { schema: v.optional(url), value: 'URL', about: 'issuer of the access tokens' },
  audience: {
    schema: v.optional(v.pipe(v.string('a string'), v.nonEmpty('a non-empty string'))),
    value: 'NAME',
    about: 'required audience of the access tokens',
  },
  jwks: {
    schema: v.optional(v.pipe(v.string('a URL or a path'), v.nonEmpty('a URL or a path'))),
    value: 'WHERE',
    about: "URL or file of the issuer's keys, if its metadata has no jwks_uri",
  },
  publicUrl: {
    schema: v.optional(url),
    value: 'URL',
    about: 'URL by which clients reach this server, e.g. behind a proxy',
  },
  allowedOrigins: {
    schema: v.optional(v.pipe(v.string('a list of origins'), v.nonEmpty('a list of origins'))),
    value: 'LIST',
    about: 'origins of web pages that may call this server, besides its own',
  },
  drainTimeout: {
    schema: v.optional(whole(0, 86_400_000), 0),
    value: 'MS',
    about: 'after SIGTERM, serve the open sessions for so long, and open no others',
  },
} as const

declare module '../../core/cli/options/options.ts' {
  interface Settings extends SettingsOf<typeof entries> {}
}

const isServed = ({ transport, http }: Settings): boolean =>
  transport === 'http' || (transport === undefined && http !== undefined)

export const accessOf = (settings: Settings): Access | undefined =>
  isServed(settings)
    ? { isAnonymous: settings.auth === 'none', drainTimeout: settings.drainTimeout }
    : undefined

/** Why these options cannot be used together. */
export function findConflict(settings: Settings): string | undefined {
  const { host, auth, issuer, audience, tokenFile, publicUrl } = settings
  if (!isServed(settings)) return undefined
  if (auth === 'none' && !isLoopbackHost(host))
    return `--host ${host} is reachable from other machines: add --auth bearer or --auth oauth`
  if (auth === 'none' && publicUrl !== undefined)
    return '--public-url requires authentication: add --auth bearer or --auth oauth'
  if (auth === 'bearer' && tokenFile === undefined && !process.env['FOOTLIGHT_TOKEN'])
    return '--auth bearer requires --token-file or FOOTLIGHT_TOKEN'
  if (auth === 'oauth' && (issuer === undefined || audience === undefined))
    return '--auth oauth requires --issuer and --audience'
  return undefined
}

/** What is said of those that are set where nothing is served. */
export function describeIgnored(settings: Settings): string | undefined {
  if (isServed(settings) || settings.transport !== undefined) return undefined
  const names = (Object.keys(entries) as (keyof typeof entries)[]).filter(
    (name) => settings[name] !== v.getDefault(entries[name].schema),
  )
  const flags = names.map((name) => `--${toKebabCase(name)}`).join(', ')
  return names.length === 0
    ? undefined
    : `${flags} ${names.length === 1 ? 'has' : 'have'} no effect without --http`
}
