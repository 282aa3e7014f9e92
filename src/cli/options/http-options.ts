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
    byDefault: 'stdio, or http where a port is set',
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
    about: 'serve Streamable HTTP at /mcp; 0 is any free port',
    byDefault: 'PORT, else 3000',
  },
  host: {
    schema: v.optional(v.pipe(v.string('an address'), v.nonEmpty('an address')), '127.0.0.1'),
    group: 'HTTP',
    value: 'ADDRESS',
    about: 'where to listen; beyond this machine only with authentication',
  },
  auth: {
    schema: v.optional(oneOf('none', 'bearer', 'oauth'), 'none'),
    group: 'HTTP',
    value: 'HOW',
    about: 'none, bearer (one shared token), oauth (tokens of an issuer)',
  },
  tokenFile: {
    schema: v.optional(path),
    group: 'HTTP',
    value: 'FILE',
    about: 'the shared token; or FOOTLIGHT_TOKEN',
  },
  issuer: {
    schema: v.optional(url),
    group: 'HTTP',
    value: 'URL',
    about: 'who issues the tokens',
  },
  audience: {
    schema: v.optional(v.pipe(v.string('text'), v.nonEmpty('text'))),
    group: 'HTTP',
    value: 'NAME',
    about: 'whom the tokens must be meant for',
  },
  jwks: {
    schema: v.optional(v.pipe(v.string('a URL or a path'), v.nonEmpty('a URL or a path'))),
    group: 'HTTP',
    value: 'WHERE',
    about: 'the keys of the issuer, a URL or a file; else its metadata says',
  },
  publicUrl: {
    schema: v.optional(url),
    group: 'HTTP',
    value: 'URL',
    about: 'how clients reach this server, behind a proxy or by a name',
  },
  allowedOrigins: {
    schema: v.optional(v.pipe(v.string('a list of origins'), v.nonEmpty('a list of origins'))),
    group: 'HTTP',
    value: 'LIST',
    about: 'web pages that may speak to this server, beside its own',
  },
} as const satisfies Record<string, Option>
