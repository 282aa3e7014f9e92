// All logging goes to stderr; stdout carries the protocol.

import process from 'node:process'
import { createConsola, LogLevels } from 'consola/basic'
import type { Fields, Log } from '../../base/system/log.ts'

export function createLog(
  level: 'silent' | 'error' | 'warn' | 'info' | 'debug',
  format: 'text' | 'json',
  redact: <T>(value: T) => T,
): Log {
  const logger = createConsola({
    level: LogLevels[level],
    stdout: process.stderr,
    stderr: process.stderr,
    formatOptions: { date: false },
  })
  if (format === 'json') {
    logger.setReporters([
      {
        log: ({ type, date, args }) =>
          process.stderr.write(`${JSON.stringify(jsonLineOf(type, date, args))}\n`),
      },
    ])
  }
  const write =
    (type: 'error' | 'warn' | 'info' | 'debug') =>
    (message: string, rawFields: Fields = {}) => {
      const [text, fields] = redact([message, rawFields] as const)
      if (format === 'json') logger[type](text, fields)
      if (format === 'text') logger[type](textLineOf(text, fields))
    }
  const warn = write('warn')
  const writtenTexts = new Set<string>()
  const warnOnce = (text: string) => {
    if (!writtenTexts.has(text)) warn(text)
    writtenTexts.add(text)
  }
  return { error: write('error'), warn, warnOnce, info: write('info'), debug: write('debug') }
}

const jsonLineOf = (level: string, date: Date, [message, fields]: unknown[]) => ({
  timestamp: date.toISOString(),
  level,
  // The level as Google Cloud Logging names it.
  severity: level === 'warn' ? 'WARNING' : level.toUpperCase(),
  message,
  ...(fields as Fields),
})

function textLineOf(text: string, fields: Fields): string {
  const pairs = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return [text, ...pairs].join(' ')
}
