// The options that limit what pages, agents and clients may do.

import * as v from 'valibot'
import { commandList, hostList, oneOf, path, whole, yesNo, type Option } from './schemas.ts'

export const safety = {
  allowedHosts: {
    schema: v.optional(hostList),
    group: 'Safety',
    value: 'LIST',
    about: 'the only hosts that pages may reach: host, *.host, address; with :port or not',
    byDefault: 'all',
    also: 'ALLOWED_HOSTS',
  },
  privateHosts: {
    schema: v.optional(oneOf('block', 'allow'), 'block'),
    group: 'Safety',
    value: 'WHAT',
    about: 'block, allow: private addresses that no rule names, if there are rules',
  },
  askHosts: {
    schema: v.optional(yesNo, false),
    group: 'Safety',
    about: 'ask the user about hosts that no rule names; no answer is a no',
  },
  secrets: {
    schema: v.optional(path),
    group: 'Safety',
    value: 'FILE',
    about: 'NAME=value lines: agents type {{NAME}} and never see the value',
  },
  reveal: {
    schema: v.optional(yesNo, false),
    group: 'Safety',
    about: 'tell secrets too: nothing is redacted',
  },
  serverCommand: {
    schema: v.optional(commandList),
    group: 'Safety',
    value: 'LIST',
    about: 'the only programs that create_session may start, by their paths',
    byDefault: 'any',
    also: 'SERVER_COMMAND_PATH',
  },
  rateLimit: {
    schema: v.optional(whole(1, 1_000_000)),
    group: 'Safety',
    value: 'N',
    about: 'calls a minute of one client',
    byDefault: 'none',
  },
  sessionRateLimit: {
    schema: v.optional(whole(1, 1_000_000)),
    group: 'Safety',
    value: 'N',
    about: 'new sessions a minute of one client',
    byDefault: 'none',
  },
  memoryLimit: {
    schema: v.optional(whole(0, 1_000_000), 2048),
    group: 'Safety',
    value: 'MB',
    about: 'no session is opened while browsers and servers use more; 0: no limit',
  },
} as const satisfies Record<string, Option>
