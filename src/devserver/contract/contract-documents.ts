// Schemas of the JSON documents that the commands of the server contract print. Unknown fields are allowed.

import * as v from 'valibot'

const port = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535))
const pid = v.pipe(v.number(), v.integer(), v.minValue(1))
const url = v.pipe(v.string(), v.url())
const logs = v.looseObject({ stdout: v.string(), stderr: v.string(), combined: v.string() })

export const startDocument = v.looseObject({
  status: v.picklist(['ready', 'already_running']),
  url,
  port,
  pid,
  startedAt: v.string(),
  logs,
  message: v.string(),
})

export type StartDocument = v.InferOutput<typeof startDocument>

export const restartDocument = v.looseObject({
  status: v.picklist(['restarted', 'started']),
  url,
  port,
  pid,
  startedAt: v.string(),
  previousPid: v.optional(pid),
  previousPort: v.optional(port),
  message: v.string(),
})

export const statusDocument = v.looseObject({
  status: v.picklist(['running', 'stopped', 'unhealthy']),
  url: v.optional(url),
  uptime: v.optional(v.number()),
  healthy: v.optional(v.boolean()),
  message: v.optional(v.string()),
})

export type StatusDocument = v.InferOutput<typeof statusDocument>

export const shutdownDocument = v.looseObject({
  status: v.picklist(['stopped', 'already_stopped', 'force_stopped']),
  message: v.optional(v.string()),
})
