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
    about: 'hosts that pages may reach: host, *.host or address, optionally with :port',
    byDefault: 'all',
    also: 'ALLOWED_HOSTS',
  },
  privateHosts: {
    schema: v.optional(oneOf('block', 'allow'), 'block'),
    group: 'Safety',
    value: 'WHAT',
    about: 'block, allow: private addresses that no rule lists, when host rules are set',
  },
  askHosts: {
    schema: v.optional(yesNo, false),
    group: 'Safety',
    about: 'ask the user about hosts that no rule lists; no response denies',
  },
  ignoreHttpsErrors: {
    schema: v.optional(yesNo, false),
    group: 'Safety',
    about: 'accept untrusted certificates in every session',
  },
  secrets: {
    schema: v.optional(path),
    group: 'Safety',
    value: 'FILE',
    about: 'file of NAME=value lines; agents type {{NAME}} and never see the value',
  },
  reveal: {
    schema: v.optional(yesNo, false),
    group: 'Safety',
    about: 'disable redaction of secrets',
  },
  serverCommand: {
    schema: v.optional(commandList),
    group: 'Safety',
    value: 'LIST',
    about: 'programs that may be started, in the workspace or else in their own folder',
    byDefault: 'any',
    also: 'SERVER_COMMAND_PATH',
  },
  serverEnv: {
    schema: v.optional(variableList, 'PORT,HOST,NODE_ENV'),
    group: 'Safety',
    value: 'LIST',
    about: 'with server-command: variables that env may set',
  },
  rateLimit: {
    schema: v.optional(whole(1, 1_000_000)),
    group: 'Safety',
    value: 'N',
    about: 'calls per minute per token or address; over HTTP as many other requests',
    byDefault: 'none',
  },
  sessionRateLimit: {
    schema: v.optional(whole(1, 1_000_000)),
    group: 'Safety',
    value: 'N',
    about: 'new sessions per minute per client',
    byDefault: 'none',
  },
  memoryLimit: {
    schema: v.optional(whole(0, 10_000_000)),
    group: 'Safety',
    value: 'MB',
    about: 'open no new session while more memory is in use; 0: no limit',
    byDefault: 'a quarter of the memory',
  },
} as const satisfies Record<string, Option>
