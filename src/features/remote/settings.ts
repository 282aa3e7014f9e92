// The options that name browsers elsewhere.

import * as v from 'valibot'
import { PLAYWRIGHT_SERIES } from '../../core/browser/playwright/engine.ts'
import { path, textList } from '../../core/cli/options/option-schemas.ts'
import type { SettingFacts, Settings, SettingsOf } from '../../core/cli/options/options.ts'

/** Addresses of one of these schemes, with commas, spaces or lines between, or a JSON list of them. */
const addressList = (schemes: RegExp, expected: string) =>
  v.pipe(
    textList(expected, '\n'),
    v.check((text) => {
      const addresses = listAddresses(text)
      return addresses.length > 0 && addresses.every((one) => schemes.test(one) && URL.canParse(one))
    }, expected),
  )

/** The addresses of a list. A comma may also stand in one of them. */
export const listAddresses = (text: string): readonly string[] =>
  text
    .split(/[\s,]+(?=\w+:\/\/)/)
    .map((address) => address.replace(/^[\s,]+|[\s,]+$/g, ''))
    .filter(Boolean)

/** Headers as NAME=VALUE, one a line. */
const headerLines = v.pipe(
  textList('NAME=VALUE', '\n'),
  v.regex(/^(\s*[\w!#$%&'*+.^`|~-]+=[^\r\n]*(\n|$))+$/, 'NAME=VALUE'),
)

const jsonObject = v.pipe(v.string('a JSON object'), v.check(isJsonObject, 'a JSON object'))

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

const serviceCall = v.strictObject({
  url: v.pipe(v.string(), v.regex(/^https?:\/\//)),
  method: v.optional(v.picklist(['POST', 'PUT', 'DELETE', 'GET'])),
  body: v.optional(v.unknown()),
})

/** The calls of a service that creates browsers, as text or as they are in a config file. */
const serviceCalls = v.pipe(
  v.union([v.string(), v.record(v.string(), v.unknown())], 'a JSON object'),
  v.transform((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
  v.check(isJsonObject, 'a JSON object'),
  v.check(
    (text) => !isJsonObject(text) || v.is(serviceCallsObject, JSON.parse(text)),
    'create, with a url, connect, and release, as docs/remote.md describes',
  ),
)

const serviceCallsObject = v.strictObject({
  create: serviceCall,
  connect: v.string(),
  release: v.optional(serviceCall),
})

export const entries = {
  connect: {
    isElsewhere: true,
    schema: v.optional(addressList(/^wss?:\/\//, 'a WebSocket URL')),
    value: 'URL',
    about: `use the browsers of a remote Playwright server (${PLAYWRIGHT_SERIES}); repeatable`,
    isRepeatable: true,
  },
  cdpEndpoint: {
    isElsewhere: true,
    schema: v.optional(addressList(/^(https?|wss?):\/\//, 'a URL')),
    value: 'URL',
    about: 'connect to a running Chromium by its CDP address; repeatable',
    isRepeatable: true,
  },
  endpointHeader: {
    schema: v.optional(headerLines),
    value: 'NAME=VALUE',
    about: 'send this header to the endpoints; VALUE may have {{NAME}} of secrets; repeatable',
    isRepeatable: true,
    isSecret: true,
  },
  endpointHeaderCommand: {
    schema: v.optional(path),
    value: 'PROGRAM',
    about: 'with connect and cdp-endpoint: prints headers as JSON, anew for each connection',
  },
  endpointCreate: {
    isElsewhere: true,
    schema: v.optional(serviceCalls),
    value: 'JSON',
    about: 'calls that create and release a browser for each session, as services have them',
    byDefault: 'none',
    isSecret: true,
  },
  grid: {
    isElsewhere: true,
    schema: v.optional(v.pipe(v.string('a URL'), v.regex(/^https?:\/\//, 'a URL'))),
    value: 'URL',
    about: 'use the browsers of a Selenium Grid 4, one for each session',
  },
  gridCapabilities: {
    schema: v.optional(jsonObject),
    value: 'JSON',
    about: 'with grid: capabilities to request, such as a platform or the options of a cloud',
    byDefault: 'none',
  },
  gridNodes: { schema: v.optional(textList('hosts')), value: 'LIST', about: 'with grid: hosts of its nodes' },
} as const

declare module '../../core/cli/options/options.ts' {
  interface Settings extends SettingsOf<typeof entries> {}
}

/** Why these options cannot be used together. */
export function findConflict(settings: Settings, { elsewhereFlags }: SettingFacts): string | undefined {
  const [flag, other] = elsewhereFlags
  const { grid, gridCapabilities, endpointHeader, endpointHeaderCommand } = settings
  if (gridCapabilities !== undefined && grid === undefined) return '--grid-capabilities requires --grid'
  if (flag === undefined)
    return endpointHeader === undefined && endpointHeaderCommand === undefined
      ? undefined
      : 'headers for endpoints require --connect or --cdp-endpoint, or without a command --endpoint-create or --grid'
  if (endpointHeaderCommand !== undefined && !['--connect', '--cdp-endpoint'].includes(flag))
    return `--endpoint-header-command requires --connect or --cdp-endpoint: omit it, or ${flag}`
  return other === undefined ? undefined : `${flag} and ${other} cannot be combined`
}
