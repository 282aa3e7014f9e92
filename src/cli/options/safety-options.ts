// The options that limit what pages, agents and clients may do.

import * as v from 'valibot'
import {
  commandList,
  hostList,
  oneOf,
  path,
  variableList,
  whole,
  yesNo,
  type Option,
} from './option-schemas.ts'

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
  ignoreHttpsErrors: {
    schema: v.optional(yesNo, false),
    group: 'Safety',
    about: 'accept certificates that the browser does not trust, in every session',
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
    about: 'the only programs to start, in the workspace (without one: in their own folder)',
    byDefault: 'any',
    also: 'SERVER_COMMAND_PATH',
  },
  serverEnv: {
    schema: v.optional(variableList, 'PORT,HOST,NODE_ENV'),
    group: 'Safety',
    value: 'LIST',
    about: 'with server-command: the only variables that env may set',
  },
  rateLimit: {
    schema: v.optional(whole(1, 1_000_000)),
    group: 'Safety',
    value: 'N',
    about: 'calls a minute of one token or address; over HTTP as many other requests too',
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
    schema: v.optional(whole(0, 10_000_000)),
    group: 'Safety',
    value: 'MB',
    about: 'no session is opened while more memory is in use; 0: no limit',
    byDefault: 'a quarter of what there is',
  },
} as const satisfies Record<string, Option>
