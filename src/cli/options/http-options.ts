// The options of serving over HTTP.

import * as v from 'valibot'
import { oneOf, path, whole, type Option } from './option-schemas.ts'

const url = v.pipe(v.string('a URL'), v.url('a URL'))

export const transport = {
  transport: {
    schema: v.optional(oneOf('stdio', 'http')),
    group: 'HTTP',
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
    group: 'HTTP',
    value: '[PORT]',
    about: 'serve Streamable HTTP at /mcp; 0 picks a free port',
    byDefault: 'PORT, else 3000',
  },
  host: {
    schema: v.optional(v.pipe(v.string('an address'), v.nonEmpty('an address')), '127.0.0.1'),
    group: 'HTTP',
    value: 'ADDRESS',
    about: 'address to listen on; other than loopback only with authentication',
  },
  auth: {
    schema: v.optional(oneOf('none', 'bearer', 'oauth'), 'none'),
    group: 'HTTP',
    value: 'HOW',
    about: 'none, bearer (one shared token), oauth (access tokens of an issuer)',
  },
  tokenFile: {
    schema: v.optional(path),
    group: 'HTTP',
    value: 'FILE',
    about: 'file with the shared token; or the variable FOOTLIGHT_TOKEN',
  },
  issuer: {
    schema: v.optional(url),
    group: 'HTTP',
    value: 'URL',
    about: 'issuer of the access tokens',
  },
  audience: {
    schema: v.optional(v.pipe(v.string('a string'), v.nonEmpty('a non-empty string'))),
    group: 'HTTP',
    value: 'NAME',
    about: 'required audience of the access tokens',
  },
  jwks: {
    schema: v.optional(v.pipe(v.string('a URL or a path'), v.nonEmpty('a URL or a path'))),
    group: 'HTTP',
    value: 'WHERE',
    about: "URL or file of the issuer's keys, if its metadata has no jwks_uri",
  },
  publicUrl: {
    schema: v.optional(url),
    group: 'HTTP',
    value: 'URL',
    about: 'URL by which clients reach this server, e.g. behind a proxy',
  },
  allowedOrigins: {
    schema: v.optional(v.pipe(v.string('a list of origins'), v.nonEmpty('a list of origins'))),
    group: 'HTTP',
    value: 'LIST',
    about: 'origins of web pages that may call this server, besides its own',
  },
} as const satisfies Record<string, Option>
